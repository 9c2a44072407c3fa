import { type ComponentType, lazy, Suspense } from 'react';
import type { EngineState } from '@meridian/contract/engine';
import { paths } from '../paths.ts';
import type { StripLineProps, Trouble } from './StripLine.tsx';
import { useEngine } from './figures.tsx';

/** Nothing of it is loaded while all is well, and a failure to load it leaves the page alone. */
const StripLine = lazy<ComponentType<StripLineProps>>(async () => {
  const loaded = await import('./StripLine.tsx').catch(() => null);
  return { default: loaded?.StripLine ?? (() => null) };
});

/** What keeps every post from being published, on every page. */
export function ServiceStrip() {
  const { data } = useEngine();
  const trouble = data && troubleOf(data);
  if (data === undefined || !trouble) return null;
  return (
    <Suspense>
      <StripLine state={data} trouble={trouble} />
    </Suspense>
  );
}

function troubleOf({
  isSuspended,
  suspendedAt,
  isAlive,
  isExpected,
  lastSeenAt,
  workers,
}: EngineState): Trouble | null {
  if (isSuspended) {
    return {
      words: 'Service suspended',
      since: suspendedAt,
      to: paths.settings,
      label: 'Settings',
    };
  }
  if (isAlive || !isExpected) return null;
  if (workers.some(({ isAlive: isSeen, clockOffMs }) => isSeen && clockOffMs)) {
    return {
      words: 'A wrong clock stops the engine',
      since: null,
      to: paths.engine,
      label: 'Engine',
    };
  }
  return { words: 'No engine is running', since: lastSeenAt, to: paths.engine, label: 'Engine' };
}
