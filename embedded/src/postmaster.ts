import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { complaintOf, IN_USE, optionsIn } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { EmbeddedDatabaseError, unless } from './folders.ts';
import type { Notice } from './folders.ts';

export type PostmasterSpec = Cluster & { settings: Record<string, string>; onNotice: Notice };

export type Postmaster = { pid: number; ended: Promise<string>; stop(): Promise<void> };

// The shell outlives our process, even after kill -9: its pipe closes, and PostgreSQL writes a checkpoint and ends.
// On a full disk that never ends, so after 15 seconds PostgreSQL is made to stop, and recovers at the next start.
const WATCHDOG = `
exec 3<&0
"$@" -c logging_collector=off -c log_destination=stderr -c log_min_messages=warning </dev/null 3<&- &
server=$!
(read -r _ <&3; kill -INT "$server"; sleep 15; kill -QUIT "$server") >/dev/null 2>&1 &
trap '' INT TERM HUP
wait "$server"; status=$?
kill 0
exit "$status"
`;

const OWNER = /"meridian\.owner=(?<purpose>serve|tool)\/(?<pid>\d+)/;
/** A standby serves reads. */
const SERVES = /ready to accept (?:read-only )?connections/;
const SLOW_START_MS = 5_000;
const FAST_STOP_MS = 15_000;

export async function launch(spec: PostmasterSpec): Promise<Postmaster | 'locked'> {
  const { binaries, dataFolder, settings, onNotice } = spec;
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const postgres = join(binaries.bin, 'postgres');
  const args = ['-c', WATCHDOG, 'watchdog', postgres, '-D', dataFolder, ...options];
  // PostgreSQL has a session of its own: Ctrl-C in the terminal reaches the server, which then stops it in order.
  const child = spawn('/bin/sh', args, { ...(await optionsIn(spec)), detached: true });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    // 'close' comes after 'exit', when all of the log has been read.
    child.once('close', (code, signal) => resolve(signal ?? `exit code ${code}`));
  });
  let log = '';
  const serving = new Promise<undefined>((resolve) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4_096);
      if (SERVES.test(log)) resolve(undefined);
    });
  });
  const slow = setTimeout(() => {
    onNotice('The database is still starting; after a crash it first replays its log.');
  }, SLOW_START_MS);
  const end = await Promise.race([ended, serving]);
  clearTimeout(slow);
  if (end !== undefined) {
    if (IN_USE.test(log)) return 'locked';
    const reason = complaintOf(Object.assign(new Error(end), { stderr: log }));
    const sentence = `PostgreSQL could not serve the folder ${dataFolder}: ${reason}.`;
    throw new EmbeddedDatabaseError('failed', sentence);
  }

  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
  return {
    pid: (await readPostmaster(spec))?.pid ?? 0,
    ended,
    async stop() {
      child.stdin.end();
      const late = setTimeout(() => {
        onNotice('The database does not stop; it is made to, and will recover at the next start.');
      }, FAST_STOP_MS);
      await ended;
      clearTimeout(late);
    },
  };
}

export type PostmasterRecord = NonNullable<Awaited<ReturnType<typeof readPostmaster>>>;

export async function readPostmaster({ dataFolder, settings }: PostmasterSpec) {
  const read = async (file: string) =>
    (await unless(['ENOENT'], readFile(join(dataFolder, file), 'utf8'))) ?? '';
  const [pid, , , , , , , status] = (await read('postmaster.pid')).split(/ *\n/);
  if (!(Number(pid) > 0)) return undefined;
  const started = OWNER.exec(await read('postmaster.opts'))?.groups;
  const owner = { pid: Number(started?.['pid']), isServer: started?.['purpose'] === 'serve' };
  const signalNothing = async () => process.kill(owner.pid, 0);
  const isAlive = started && (await unless(['ESRCH', 'EPERM'], signalNothing()));
  const socket = `${settings['unix_socket_directories']}/.s.PGSQL.${settings['port']}`;
  const isServing = status === 'ready' && (await accepts(socket));
  return { pid: Number(pid), isServing, owner: isAlive ? owner : undefined };
}

async function accepts(path: string): Promise<boolean> {
  const socket = connect(path);
  const connected = await once(socket, 'connect').catch(() => undefined);
  socket.destroy();
  return connected !== undefined;
}
