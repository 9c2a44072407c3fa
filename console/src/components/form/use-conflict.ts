import { useState } from 'react';
import { isConflict } from '../../api/api-error.ts';
import { UnknownOutcomeError } from '../../api/unknown-outcome.ts';
import { changedPaths, mergeChanges } from './changes.ts';
import type { EditStart } from './use-edit-start.ts';

/** The condition under which a change is made. A server that keeps no versions is asked without. */
export function ifMatch({ version }: { version: number }): { 'If-Match': string } | undefined {
  return version > 0 ? { 'If-Match': `"v${version}"` } : undefined;
}

interface ConflictOptions<Entity, Values extends object> {
  /** What the form started from. */
  first: Values;
  readLatest: () => Promise<Entity>;
  valuesOf: (entity: Entity) => Values;
  onStartOver: (start: EditStart<Entity, Values>) => void;
}

/** What another administrator saved meanwhile, and the two ways on. */
export interface Rival<Values extends object> {
  first: Values;
  theirs: Values;
  /** Counts the attempts that met it: each leads the reader to it. */
  attempts: number;
  /** Sends what was changed here on top of theirs. */
  keep: (mine: Values) => void;
  load: () => void;
}

/** Another administrator may save first: `save` is then false, and their version the rival. */
export function useConflict<Entity extends { version: number }, Values extends object>({
  first,
  readLatest,
  valuesOf,
  onStartOver,
}: ConflictOptions<Entity, Values>) {
  const [met, setMet] = useState<{ entity: Entity; attempts: number }>();

  /** After a lost response: whether the server has these very values by now, and had others before. */
  async function isSaved(values: Values): Promise<boolean> {
    if (changedPaths(first, values).length === 0) return false;
    const latest = await readLatest().catch(() => undefined);
    return latest !== undefined && changedPaths(valuesOf(latest), values).length === 0;
  }

  async function save(values: Values, send: () => Promise<unknown>): Promise<boolean> {
    try {
      await send();
      return true;
    } catch (error) {
      if (error instanceof UnknownOutcomeError && (await isSaved(values))) return true;
      if (!isConflict(error)) throw error;
      const entity = await readLatest().catch(() => undefined);
      // Without versions the condition that failed is the server's own: only it can say which.
      if (entity === undefined || entity.version === 0) throw error;
      setMet((last) => ({ entity, attempts: (last?.attempts ?? 0) + 1 }));
      return false;
    }
  }

  function rivalOf({ entity, attempts }: NonNullable<typeof met>): Rival<Values> {
    const theirs = valuesOf(entity);
    return {
      first,
      theirs,
      attempts,
      keep: (mine) =>
        onStartOver({ entity, values: mergeChanges(first, mine, theirs), isSentAtOnce: true }),
      load: () => onStartOver({ entity }),
    };
  }

  return { save, rival: met && rivalOf(met) };
}
