import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/**
 * Starts something on the first core and goes on on the second. Who shares a core with the server
 * takes its time away and then measures how little was left. False where the machine cannot do it.
 */
export async function onSeparateCores<T>(
  start: () => Promise<T>,
): Promise<{ started: T; isSeparate: boolean }> {
  // What is started inherits the core, and so does what that starts: the database.
  const isSeparate = availableParallelism() > 1 && moveTo(0);
  try {
    return { started: await start(), isSeparate };
  } finally {
    if (isSeparate) moveTo(1);
  }
}

function moveTo(core: number): boolean {
  const all = ['--all-tasks', '--pid', '--cpu-list', String(core), String(process.pid)];
  return spawnSync('taskset', all).status === 0;
}
