import { useSyncExternalStore } from 'react';
import { PLAN_SECTIONS } from './plan-sections.ts';

const FIRST = PLAN_SECTIONS[0].id;

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  window.addEventListener('resize', listener);
  return () => {
    window.removeEventListener('scroll', listener);
    window.removeEventListener('resize', listener);
  };
}

/** The last section whose heading has reached the upper third of the screen. */
function sectionInSight(): string {
  const line = window.innerHeight / 3;
  const reached = PLAN_SECTIONS.filter(({ id }) => {
    const heading = document.getElementById(id);
    return heading !== null && heading.getBoundingClientRect().top <= line;
  });
  return reached.at(-1)?.id ?? FIRST;
}

export function useCurrentSection(): string {
  return useSyncExternalStore(subscribe, sectionInSight);
}
