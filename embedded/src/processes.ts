import { execFile } from 'node:child_process';
import { readFile, readlink, realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import { errorCode } from './errors.ts';

const run = promisify(execFile);

/**
 * The start time of a process, which tells it from a later one with the same id; undefined when it
 * no longer runs. A zombie counts as ended: it holds no resources.
 */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return startTimeFromPs(pid);
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command in parentheses and may hold anything, even a parenthesis.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    // No such process.
    return undefined;
  }
}

async function startTimeFromPs(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim().replaceAll(/\s+/g, ' ') || undefined;
  } catch {
    // ps exits with 1 when there is no such process.
    return undefined;
  }
}

/**
 * Whether the process certainly has nothing to do with this database: every PostgreSQL process
 * works inside its data folder. Unknown (another system, another user's process) is no.
 */
export async function isUnrelated(pid: number, dataFolder: string): Promise<boolean> {
  try {
    const [workingFolder, ownFolder] = await Promise.all([
      readlink(`/proc/${pid}/cwd`),
      realpath(dataFolder),
    ]);
    return workingFolder !== ownFolder;
  } catch {
    return false;
  }
}

/** A process that has gone meanwhile needs no signal any more. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error;
  }
}
