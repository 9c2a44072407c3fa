import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Closers } from '../../../server/src/closers.ts';

export type SinkOrder = { hosts: number; responseMs: number };
export type SinkReport = {
  /** When each post arrived first, by its number. */
  arrivals: ReadonlyMap<number, number>;
  /** Posts that arrived again under another record key. */
  duplicates: number;
};
export type Sink = { hosts: readonly string[]; report(run: string): Promise<SinkReport> };

export const HOSTS: SinkOrder = { hosts: 20, responseMs: 50 };

/** Hosts that take every post, in a process of their own. */
export async function startSink(order: SinkOrder, closers: Closers): Promise<Sink> {
  const child = fork(join(import.meta.dirname, 'sink-child.ts'), {
    execArgv: [],
    serialization: 'advanced',
  });
  closers.add(async () => {
    if (child.connected) child.disconnect();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const ask = async <Reply>(message: SinkOrder | string) => {
    child.send(message);
    const [reply] = await once(child, 'message');
    // The child sends one reply per message, of the type that belongs to it.
    return reply as Reply;
  };
  const hosts = await ask<string[]>(order);
  return { hosts, report: (run) => ask<SinkReport>(run) };
}
