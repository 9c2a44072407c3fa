import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from './binaries.ts';
import { complaintOf, IN_USE, optionsIn } from './cluster.ts';
import { EmbeddedDatabaseError } from './errors.ts';
import { ifThere } from './folders.ts';
import type { DatabaseHome } from './folders.ts';
import { sendSignal } from './processes.ts';

export type PostmasterSpec = {
  home: DatabaseHome;
  binaries: Binaries;
  dataFolder: string;
  settings: Record<string, string>;
  onNotice: (message: string) => void;
};

export type Postmaster = {
  pid: number;
  ended: Promise<string>;
  stop(): Promise<void>;
};

/**
 * A shell between us and PostgreSQL. It holds the reading end of a pipe from our process: when we
 * end in any way, even by kill -9, the pipe closes and PostgreSQL gets its order to stop (SIGINT:
 * disconnect everyone, write a checkpoint). On a full disk it would wait for ever for that checkpoint:
 * after 15 seconds it is made to stop, and recovers at the next start. It prints the server's process
 * id first.
 */
const WATCHDOG = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
echo "$server"
(read -r _ <&3; kill -INT "$server"; sleep 15; kill -QUIT "$server") 2>/dev/null &
watch=$!
trap '' INT TERM HUP
wait "$server"; status=$?
kill "$watch" 2>/dev/null
exit "$status"
`;

const SLOW_START_MS = 5_000;
const FAST_STOP_MS = 15_000;

// Held here because a collected child would close the pipe, which tells the watchdog to stop.
const children = new Set<ChildProcess>();

/** Starts PostgreSQL and waits until it serves; 'locked' when another one still holds the folder. */
export async function launch(spec: PostmasterSpec): Promise<Postmaster | 'locked'> {
  const { home, binaries, dataFolder, settings } = spec;
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const args = ['-c', WATCHDOG, 'watchdog', binaries.postgres, '-D', dataFolder, ...options];
  const { env, ...others } = optionsIn(home);
  // A session of its own: Ctrl-C in the terminal reaches the server, which then stops it in order.
  const child = spawn('/bin/sh', args, {
    ...others,
    env: { ...env, ...(await disownStranger(dataFolder)) },
    detached: true,
  });
  children.add(child);
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4_096)));
  let pid = 0;
  child.stdout.on('data', (chunk: Buffer) => (pid ||= Number.parseInt(chunk.toString(), 10)));
  let end: string | undefined;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // 'close' rather than 'exit': by then all of the log has been read.
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  }).then((how) => {
    children.delete(child);
    return (end = how);
  });

  const slow = setTimeout(() => {
    spec.onNotice('The database is still starting; after a crash it first replays its log.');
  }, SLOW_START_MS);
  for (let isServing = false; !isServing;) {
    await delay(10);
    if (end !== undefined) break;
    const record = await readPostmaster(dataFolder);
    isServing = record?.pid === pid && (await isAccepting(record));
  }
  clearTimeout(slow);
  if (end !== undefined) {
    if (IN_USE.test(log)) return 'locked';
    const reason = complaintOf(Object.assign(new Error(end), { stderr: log }));
    const sentence = `PostgreSQL could not serve the folder ${dataFolder}: ${reason}.`;
    throw new EmbeddedDatabaseError('failed', sentence);
  }

  // The child must not keep this process running.
  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
  return {
    pid,
    ended,
    async stop() {
      if (end !== undefined) return;
      sendSignal(pid, 'SIGINT');
      const late = setTimeout(() => {
        spec.onNotice(
          'The database does not stop; it is made to, and will recover at the next start.',
        );
        sendSignal(pid, 'SIGQUIT');
      }, FAST_STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

/**
 * After a crash the number in postmaster.pid may belong to a process that is no PostgreSQL at all
 * (in a container numbers repeat), and PostgreSQL would refuse to start for as long as that one
 * runs. This variable names a process that it ignores; the check for shared memory stays.
 */
async function disownStranger(dataFolder: string): Promise<Record<string, string>> {
  const record = await readPostmaster(dataFolder);
  if (record === undefined) return {};
  try {
    // Every PostgreSQL process works inside its data folder.
    const folders = [readlink(`/proc/${record.pid}/cwd`), realpath(dataFolder)];
    const [workingFolder, ownFolder] = await Promise.all(folders);
    return workingFolder === ownFolder ? {} : { PG_GRANDPARENT_PID: String(record.pid) };
  } catch {
    return {}; // no such process, or one that cannot be looked at
  }
}

export type PostmasterRecord = NonNullable<Awaited<ReturnType<typeof readPostmaster>>>;

/**
 * The contents of postmaster.pid, and the owner among the settings that the postmaster was given: the
 * process that started it and with which it ends. Until it is ready this may be its predecessor's.
 */
export async function readPostmaster(dataFolder: string) {
  const read = (file: string) => ifThere(readFile(join(dataFolder, file), 'utf8'));
  const [pid, , , port, socketFolder = '', , , status = ''] =
    (await read('postmaster.pid'))?.split('\n') ?? [];
  if (!(Number(pid) > 0)) return undefined;
  const options = (await read('postmaster.opts')) ?? '';
  const [, purpose, owner, startTime = ''] =
    /"meridian\.owner=(serve|tool)\/(\d+)\/([^"]*)"/.exec(options) ?? [];
  return {
    pid: Number(pid),
    port: Number(port),
    socketFolder: socketFolder.trim(),
    isReady: status.trim() === 'ready',
    owner: purpose === undefined ? undefined : { purpose, pid: Number(owner), startTime },
  };
}

/** Tells if a postmaster serves at the recorded socket, or the record is left from a crash. */
export async function isAccepting(record: PostmasterRecord): Promise<boolean> {
  if (!record.isReady) return false;
  const socket = connect(join(record.socketFolder, `.s.PGSQL.${record.port}`));
  return new Promise<boolean>((resolve) => {
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
  }).finally(() => socket.destroy());
}
