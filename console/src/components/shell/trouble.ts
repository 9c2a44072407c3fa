import type { EngineState } from '@meridian/contract/engine';
import { paths } from '../../paths.ts';

/** What keeps every post from being published, since when, and where it can be changed. */
export function troubleOf({
  isSuspended,
  suspendedAt,
  isAlive,
  isExpected,
  lastSeenAt,
  workers,
}: EngineState) {
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

export type Trouble = NonNullable<ReturnType<typeof troubleOf>>;
