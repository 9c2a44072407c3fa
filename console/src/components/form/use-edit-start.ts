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

/**
 * The first version that is not just being fetched again, until another one is chosen: a refetch in
 * the background never touches what someone typed. Give the form its version as key.
 */
export function useEditStart<Entity, Values>(
  latest: Entity | undefined,
  isFetching: boolean,
): Edit<Entity, Values> {
  const [start, setStart] = useState<EditStart<Entity, Values>>();
  if (start === undefined && latest !== undefined && !isFetching) setStart({ entity: latest });
  const box = useRef<HTMLDivElement>(null);

  function startOver(next: EditStart<Entity, Values>) {
    setStart(next);
    // The pressed button goes with the old form: reading starts at the new one.
    box.current?.focus();
  }

  return { start, startOver, box };
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
