import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

export type Summary = { p50: number; p95: number; p99: number };
type Work = () => Promise<unknown>;

/** The value below which the share lies, between neighbours in proportion. */
export function quantile(samples: readonly number[], share: number): number {
  if (samples.length === 0) throw new RangeError('Nothing was measured');
  const sorted = samples.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

export function summarise(samples: readonly number[]): Summary {
  const at = (share: number) => quantile(samples, share);
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

const FEWEST_ROUNDS = 5;

/**
 * Takes turns between the sides in small rounds, so that whatever else the machine does hits all of
 * them alike. Each round begins with another side. Runs before the first round compile the code and
 * prepare the statements.
 */
export async function interleave<Name extends string>(
  sides: Record<Name, Work>,
  budgetMs: number,
  { perRound = 10, warmUp = 50 } = {},
): Promise<Record<Name, Summary>> {
  // Object.keys forgets the type of the names.
  const names = Object.keys(sides) as Name[];
  const samples = new Map(names.map((name) => [name, [] as number[]]));
  for (const name of names) for (let run = 0; run < warmUp; run += 1) await sides[name]();
  const endAt = performance.now() + budgetMs;
  for (let round = 0; round < FEWEST_ROUNDS || performance.now() < endAt; round += 1) {
    const from = round % names.length;
    for (const name of [...names.slice(from), ...names.slice(0, from)]) {
      // The first run after another side finds caches cold that it left warm, and is not counted.
      await sides[name]();
      for (let run = 0; run < perRound; run += 1) samples.get(name)?.push(await timed(sides[name]));
    }
  }
  const entries = names.map((name) => [name, summarise(samples.get(name) ?? [])]);
  // One entry per name, made in the line above.
  return Object.fromEntries(entries) as Record<Name, Summary>;
}

/** Times a read, at the pace of some consoles, while something else goes on. */
export async function readBeside(read: Work, other: Promise<unknown>): Promise<Summary> {
  const over = new AbortController();
  const times: number[] = [];
  const reading = async () => {
    for (; !over.signal.aborted; await delay(20)) times.push(await timed(read));
  };
  await Promise.all([reading(), other.finally(() => over.abort())]);
  return summarise(times);
}

async function timed(work: Work): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** CPU milliseconds of a process so far, and of its children that have ended; NaN when it has ended. */
export async function cpuOf(pid: number) {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name of the program, in brackets, may hold spaces itself.
  const fields = Array.from(text.slice(text.lastIndexOf(')') + 2).split(' '), Number);
  // Linux counts in hundredths of a second, apart for user and system.
  const msAt = (at: number) => ((fields[at] ?? Number.NaN) + (fields[at + 1] ?? Number.NaN)) * 10;
  return { parent: fields[1] ?? Number.NaN, own: msAt(11), endedChildren: msAt(13) };
}

/** CPU milliseconds so far of the parent of this process and of all its children. */
export async function cpuOfFamily(pid: number): Promise<number> {
  const { parent } = await cpuOf(pid);
  const { own, endedChildren } = await cpuOf(parent);
  const running = (await readdir('/proc')).map(Number).filter(Number.isInteger);
  const all = await Promise.all(running.map(cpuOf));
  const children = all.filter((each) => each.parent === parent);
  return children.reduce((sum, child) => sum + child.own, own + endedChildren);
}

/** CPU milliseconds of the first thread, to the nanosecond: a connection of PostgreSQL has no other. */
export async function threadCpuOf(pid: number): Promise<number> {
  return Number((await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')[0]) / 1e6;
}

/** Megabytes that a process holds in memory. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
