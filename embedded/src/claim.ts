import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedDatabaseError } from './errors.ts';
import { launch } from './postmaster.ts';
import type { Postmaster, PostmasterSpec } from './postmaster.ts';
import { isAccepting, isOwnerAlive, readPostmaster } from './postmaster-record.ts';
import type { Owner, PostmasterRecord } from './postmaster-record.ts';
import { sendSignal } from './processes.ts';

export type Claim =
  | { role: 'owner'; postmaster: Postmaster }
  | { role: 'guest'; record: PostmasterRecord };

const RETRY_MS = 50;
// A server that is stopping (an overlapping restart) is waited for this long.
const LEAVING_MS = 3_000;
const LIMIT_MS = 60_000;
// The watchdog of a killed server acts much sooner; after this time it counts as dead too.
const ORPHAN_GRACE_MS = 2_000;

/**
 * Becomes the only owner of the folder, or a guest of its present owner. PostgreSQL's own lock file
 * settles the race. The owner recorded in the running postmaster tells a live server from one that
 * was killed, whose PostgreSQL is about to stop.
 */
export async function claim(spec: PostmasterSpec, purpose: Owner['purpose']): Promise<Claim> {
  const startedAt = performance.now();
  const elapsedMs = () => performance.now() - startedAt;
  const stopOrphan = orphanStopper(spec.onNotice);
  while (elapsedMs() < LIMIT_MS) {
    const record = await readPostmaster(spec.dataFolder);
    const owner = record === undefined ? undefined : await livingOwner(record);
    if (record?.isReady && (await isAccepting(record))) {
      if (owner === undefined) stopOrphan(record.pid);
      else if (purpose === 'tool') return { role: 'guest', record };
      else if (elapsedMs() > LEAVING_MS) throw inUse(spec, owner);
    } else if (owner === undefined || owner.pid === process.pid) {
      const postmaster = await launch(spec);
      if (postmaster !== 'locked') return { role: 'owner', postmaster };
    }
    // Otherwise the owner is alive and its PostgreSQL is starting or restarting.
    await delay(RETRY_MS);
  }
  throw inUse(spec, undefined);
}

async function livingOwner({ owner }: PostmasterRecord): Promise<Owner | undefined> {
  return owner !== undefined && (await isOwnerAlive(owner)) ? owner : undefined;
}

/** Signals an orphaned PostgreSQL once, after the time in which its watchdog should have acted. */
function orphanStopper(onNotice: (message: string) => void): (pid: number) => void {
  const firstSeenAt = new Map<number, number>();
  const told = new Set<number>();
  return (pid) => {
    const seenAt = firstSeenAt.get(pid) ?? performance.now();
    firstSeenAt.set(pid, seenAt);
    if (told.has(pid) || performance.now() - seenAt < ORPHAN_GRACE_MS) return;
    told.add(pid);
    onNotice('A database left behind by a server that is gone is being stopped first.');
    sendSignal(pid, 'SIGINT');
  };
}

function inUse({ home }: PostmasterSpec, owner: Owner | undefined): EmbeddedDatabaseError {
  const who = {
    serve: `another Meridian server (process ${owner?.pid})`,
    tool: `a Meridian command that is still running (process ${owner?.pid})`,
    unknown: 'another process',
  }[owner?.purpose ?? 'unknown'];
  return new EmbeddedDatabaseError(
    'in-use',
    `The database folder ${home.folder} is in use by ${who}.`,
  );
}
