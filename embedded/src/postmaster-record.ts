import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { errorCode } from './errors.ts';
import { startTimeOf } from './processes.ts';

/** The process that started a postmaster; the postmaster stops when it ends. */
export type Owner = { purpose: 'serve' | 'tool'; pid: number; startTime: string };

/** The contents of postmaster.pid. */
export type PostmasterRecord = {
  pid: number;
  port: number;
  socketFolder: string;
  isReady: boolean;
  /** Until it is ready this may still be the owner of the postmaster before it. */
  owner: Owner | undefined;
};

// Passed to the postmaster as a setting, so that it appears and disappears with that postmaster: a
// second file could be stale.
const OWNER_SETTING = 'meridian.owner';

export async function ownerSetting(purpose: Owner['purpose']): Promise<[string, string]> {
  const startTime = await startTimeOf(process.pid);
  return [OWNER_SETTING, `${purpose}/${process.pid}/${startTime ?? ''}`];
}

export async function isOwnerAlive(owner: Owner): Promise<boolean> {
  return (await startTimeOf(owner.pid)) === owner.startTime;
}

export async function readPostmaster(dataFolder: string): Promise<PostmasterRecord | undefined> {
  const text = await readIfThere(join(dataFolder, 'postmaster.pid'));
  if (text === undefined) return undefined;
  const [pid, , , port, socketFolder = '', , , status = ''] = text.split('\n');
  if (!Number.isInteger(Number(pid)) || Number(pid) <= 0) return undefined;
  return {
    pid: Number(pid),
    port: Number(port),
    socketFolder: socketFolder.trim(),
    isReady: status.trim() === 'ready',
    owner: parseOwner(await readIfThere(join(dataFolder, 'postmaster.opts'))),
  };
}

/** Whether a postmaster listens on the recorded socket, or the record is left from a crash. */
export async function isAccepting(record: PostmasterRecord): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(join(record.socketFolder, `.s.PGSQL.${record.port}`));
  socket.once('connect', () => resolve(true));
  socket.once('error', () => resolve(false));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

function parseOwner(options: string | undefined): Owner | undefined {
  const match = /"meridian\.owner=(serve|tool)\/(\d+)\/([^"]*)"/.exec(options ?? '');
  const [, purpose, pid, startTime = ''] = match ?? [];
  if (purpose !== 'serve' && purpose !== 'tool') return undefined;
  return { purpose, pid: Number(pid), startTime };
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
