import { readdir, readFile } from 'node:fs/promises';
import { errorCode } from '@meridian/embedded-postgres/folders';

/** Kills a PostgreSQL with all its processes. */
export async function killPostgres(postmaster: number): Promise<void> {
  // Stopped first, so that it starts no new ones and does not tell the others to go.
  sendSignal(postmaster, 'SIGSTOP');
  for (const pid of await childrenOf(postmaster)) sendSignal(pid, 'SIGKILL');
  sendSignal(postmaster, 'SIGKILL');
}

export async function signalPostgres(postmaster: number, signal: NodeJS.Signals): Promise<void> {
  sendSignal(postmaster, signal);
  for (const pid of await childrenOf(postmaster)) sendSignal(pid, signal);
}

/** A process that has gone meanwhile needs no signal any more. */
function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const parents = await Promise.all(pids.map(parentOf));
  return pids.filter((_, index) => parents[index] === parent);
}

async function parentOf(pid: number): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The command before it stands in parentheses and may hold anything.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // Gone meanwhile.
    return undefined;
  }
}
