import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { postgresEnvironment } from './environment.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import type { DatabaseHome } from './folders.ts';
import { isAccepting, readPostmaster } from './postmaster-record.ts';
import { isUnrelated, sendSignal } from './processes.ts';
import { credentials } from './run-as.ts';
import { WATCHDOG } from './watchdog.ts';

export type PostmasterSpec = {
  home: DatabaseHome;
  binaries: Binaries;
  dataFolder: string;
  settings: Record<string, string>;
  onNotice: (message: string) => void;
};

export type Postmaster = {
  pid: number;
  /** Settles when it has ended, with how. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

const POLL_MS = 10;
const SLOW_START_MS = 5_000;
// Recovery after a crash replays at most a checkpoint's worth of log, but a disk can be slow.
const START_LIMIT_MS = 10 * 60_000;
const FAST_STOP_MS = 15_000;
const QUIT_STOP_MS = 5_000;

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

// Held here because a collected child would close the pipe, which tells the watchdog to stop.
const children = new Set<Child>();

/** Starts PostgreSQL and waits until it serves; 'locked' when another one still holds the folder. */
export async function launch(spec: PostmasterSpec): Promise<Postmaster | 'locked'> {
  const child = await spawnWatched(spec);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-4_096);
  });
  let pid: number | undefined;
  child.stdout.on('data', (chunk: Buffer) => {
    pid ??= Number.parseInt(chunk.toString(), 10);
  });
  let end: string | undefined;
  const { promise: ended, resolve } = Promise.withResolvers<string>();
  const onEnd = (how: string) => {
    end ??= how;
    children.delete(child);
    resolve(how);
  };
  child.once('error', (error) => onEnd(error.message));
  // 'close' rather than 'exit': by then all of the log has been read.
  child.once('close', (code, signal) => onEnd(signal ?? `exit code ${code}`));

  const startedAt = performance.now();
  let isSlow = false;
  for (;;) {
    if (end !== undefined) {
      if (/lock file|still in use/.test(log)) return 'locked';
      throw failed(spec, lastComplaint(log) ?? end);
    }
    const record = await readPostmaster(spec.dataFolder);
    if (record?.isReady && record.pid === pid && (await isAccepting(record))) break;
    const elapsed = performance.now() - startedAt;
    if (elapsed > SLOW_START_MS && !isSlow) {
      isSlow = true;
      spec.onNotice('The database is still starting; after a crash it first replays its log.');
    }
    if (elapsed > START_LIMIT_MS) {
      child.stdin.destroy();
      throw failed(spec, 'it did not become ready in time');
    }
    await delay(POLL_MS);
  }

  letProcessEnd(child);
  const serverPid = pid;
  return {
    pid: serverPid,
    ended,
    async stop() {
      if (end !== undefined) return;
      sendSignal(serverPid, 'SIGINT');
      if (await within(ended, FAST_STOP_MS)) return;
      spec.onNotice(
        'The database does not stop; it is made to, and will recover at the next start.',
      );
      sendSignal(serverPid, 'SIGQUIT');
      if (await within(ended, QUIT_STOP_MS)) return;
      throw failed(spec, `process ${serverPid} does not stop`);
    },
  };
}

async function spawnWatched(spec: PostmasterSpec): Promise<Child> {
  const { home, binaries, dataFolder, settings } = spec;
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-c', WATCHDOG, 'watchdog', binaries.postgres, '-D', dataFolder, ...options];
  const child = spawn('/bin/sh', args, {
    ...credentials(home.runAs),
    env: { ...postgresEnvironment(home.folder), ...(await disownStranger(dataFolder)) },
    cwd: '/',
    // A session of its own: Ctrl-C in the terminal reaches the server, which then stops it in order.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.add(child);
  return child;
}

/**
 * After a crash the number in postmaster.pid may belong to a process that is no PostgreSQL at all
 * (in a container numbers repeat), and PostgreSQL would refuse to start for as long as that one
 * runs. This variable names a process that it ignores; the check for shared memory stays.
 */
async function disownStranger(dataFolder: string): Promise<Record<string, string>> {
  const record = await readPostmaster(dataFolder);
  if (record === undefined || !(await isUnrelated(record.pid, dataFolder))) return {};
  return { PG_GRANDPARENT_PID: String(record.pid) };
}

/** The child must not keep this process running. */
function letProcessEnd(child: Child): void {
  child.unref();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    if (stream instanceof Socket) stream.unref();
  }
}

async function within(ended: Promise<unknown>, limitMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(limitMs, false, { signal: timer.signal }).catch(() => false);
  const isInTime = await Promise.race([ended.then(() => true), late]);
  timer.abort();
  return isInTime;
}

function lastComplaint(log: string): string | undefined {
  const lines = log.split('\n').filter((line) => /(FATAL|PANIC|ERROR): /.test(line));
  return lines.at(-1)?.replace(/^.*?(FATAL|PANIC|ERROR): +/, '');
}

function failed({ dataFolder }: PostmasterSpec, reason: string): EmbeddedDatabaseError {
  return new EmbeddedDatabaseError(
    'failed',
    `PostgreSQL could not serve the folder ${dataFolder}: ${reason}.`,
  );
}
