import { type RefObject, useEffect, useRef, useState } from 'react';

/** What an edit form starts from: a version of the thing, and perhaps changes on top of it. */
export interface EditStart<Entity, Values> {
  entity: Entity;
  values?: Values | undefined;
  /** The changes are to be sent without being asked for again. */
  isSentAtOnce?: boolean | undefined;
}

interface Edit<Entity, Values> {
  start: EditStart<Entity, Values> | undefined;
  startOver: (next: EditStart<Entity, Values>) => void;
  /** Around the form, with tabIndex -1. */
  box: RefObject<HTMLDivElement | null>;
}

/** The first version that came, until another one is chosen. Give the form its version as key. */
export function useEditStart<Entity, Values>(first: Entity | undefined): Edit<Entity, Values> {
  const [chosen, setChosen] = useState<EditStart<Entity, Values>>();
  const box = useRef<HTMLDivElement>(null);

  function startOver(next: EditStart<Entity, Values>) {
    setChosen(next);
    // The pressed button goes with the old form: reading starts at the new one.
    box.current?.focus();
  }

  return { start: chosen ?? (first === undefined ? undefined : { entity: first }), startOver, box };
}

/** For changes that were decided upon before their form was there. */
export function useSendAtOnce(
  { isSentAtOnce = false }: EditStart<unknown, unknown>,
  send: () => void,
) {
  const isDone = useRef(false);

  // Sending belongs to the press that chose it, but needs the form that press brings about.
  useEffect(() => {
    if (!isSentAtOnce || isDone.current) return;
    isDone.current = true;
    send();
  }, [isSentAtOnce, send]);
}
