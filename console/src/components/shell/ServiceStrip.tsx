import { type ComponentType, lazy, Suspense } from 'react';
import { useEngine } from '../engine/use-engine.ts';
import type { StripLineProps } from './StripLine.tsx';
import { troubleOf } from './trouble.ts';

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
