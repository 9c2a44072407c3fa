import { setTimeout as delay } from 'node:timers/promises';
import { launch } from './postmaster.ts';
import type { Postmaster, PostmasterSpec } from './postmaster.ts';

export type Supervised = {
  readonly pid: number;
  stop(): Promise<void>;
};

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/** Starts PostgreSQL again whenever it ends unexpectedly, until `stop` is called. */
export function supervise(spec: PostmasterSpec, first: Postmaster): Supervised {
  let current = first;
  const stopping = new AbortController();
  let stopped: Promise<void> | undefined;

  const watching = (async () => {
    for (;;) {
      const how = await current.ended;
      if (stopping.signal.aborted) return;
      spec.onNotice(`The database ended unexpectedly (${how}) and is started again.`);
      const next = await relaunch(spec, stopping.signal);
      if (next === undefined) return;
      current = next;
      if (stopping.signal.aborted) return;
      spec.onNotice('The database runs again.');
    }
  })();

  const stop = async () => {
    stopping.abort();
    await current.stop();
    // A relaunch under way finishes first, so that no PostgreSQL is left running.
    await watching;
    await current.stop();
  };

  return {
    get pid() {
      return current.pid;
    },
    stop: () => (stopped ??= stop()),
  };
}

async function relaunch(
  spec: PostmasterSpec,
  signal: AbortSignal,
): Promise<Postmaster | undefined> {
  let lastTrouble = '';
  for (let pause = FIRST_PAUSE_MS; !signal.aborted; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      const postmaster = await launch(spec);
      if (postmaster !== 'locked') return postmaster;
    } catch (error) {
      const trouble = error instanceof Error ? error.message : String(error);
      if (trouble !== lastTrouble) spec.onNotice(trouble);
      lastTrouble = trouble;
    }
    // Unreferenced: waiting for the next retry must not keep the process alive.
    await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
  }
  return undefined;
}
