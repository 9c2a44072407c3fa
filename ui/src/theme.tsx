import { useSyncExternalStore } from 'react';
import { writeStored } from './api/browser.ts';

export type Theme = 'light' | 'dark' | 'system';

/** The same key as in first-paint.js, which runs before any module can. */
const KEY = 'meridian_theme';
const GROUND = { light: '#f6f7f9', dark: '#0d1015' };

const listeners = new Set<() => void>();

const isChosen = (value: string | null | undefined) => value === 'light' || value === 'dark';

function getTheme(): Theme {
  const { theme } = document.documentElement.dataset;
  return isChosen(theme) ? theme : 'system';
}

function apply(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  paintBrowserFrame();
  for (const listener of listeners) listener();
}

/** The two theme-color tags follow the system, unless a theme was chosen. */
function paintBrowserFrame(): void {
  const theme = getTheme();
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const scheme = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = GROUND[theme === 'system' ? scheme : theme];
  }
}

export function setTheme(theme: Theme): void {
  writeStored(KEY, theme === 'system' ? null : theme);
  apply(theme);
}

function subscribeTheme(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called once at start: a choice made in another tab holds here as well. */
export function watchTheme(): void {
  paintBrowserFrame();
  window.addEventListener('storage', (event) => {
    if (event.key !== KEY && event.key !== null) return;
    const stored = event.key === null ? null : event.newValue;
    apply(isChosen(stored) ? stored : 'system');
  });
}

export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(subscribeTheme, getTheme), setTheme];
}

export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      className={`shrink-0 text-accent ${className}`}
    >
      <circle cx="16" cy="16" r="13" />
      <ellipse cx="16" cy="16" rx="5.75" ry="13" />
      <path d="M3 16h26" />
    </svg>
  );
}
