import { readdir, readFile } from 'node:fs/promises';

/** Linux counts it in hundredths of a second. */
const TICK_MS = 10;

type Stat = { parent: number; own: number; endedChildren: number };

/** CPU milliseconds of a process so far, all its threads together. */
export async function cpuOf(pid: number): Promise<number> {
  const stat = await statOf(pid);
  if (stat === null)
    throw new Error(`No CPU time of process ${pid}: it has ended, or there is no /proc`);
  return stat.own;
}

/** CPU milliseconds of a process and its children so far, also of those that have ended. */
export async function cpuOfFamily(pid: number): Promise<number> {
  const running = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const stats = (await Promise.all(running.map(statOf))).filter((stat) => stat !== null);
  const children = stats.filter(({ parent }) => parent === pid);
  const { own, endedChildren } = (await statOf(pid)) ?? { own: 0, endedChildren: 0 };
  return children.reduce((sum, child) => sum + child.own, own + endedChildren);
}

/** CPU milliseconds of the first thread, to the nanosecond: all of a process without others. */
export async function threadCpuOf(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');
  return Number(nanoseconds) / 1e6;
}

export async function parentOf(pid: number): Promise<number> {
  return (await statOf(pid))?.parent ?? 0;
}

/** Null for a process that has ended meanwhile. */
async function statOf(pid: number): Promise<Stat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The second field, the name of the program in brackets, may hold spaces itself.
  const fields = text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [parent = 0, user = 0, system = 0, childUser = 0, childSystem = 0] = [
    fields[1],
    ...fields.slice(11, 15),
  ];
  return {
    parent,
    own: (user + system) * TICK_MS,
    endedChildren: (childUser + childSystem) * TICK_MS,
  };
}
