import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import * as figures from '../../test/figures.ts';
import { PLANTS, simulate } from './testing/simulation.ts';
import type { Broken } from './testing/simulation.ts';

const SCHEDULES = Number(process.env['SCHEDULES'] ?? 10_000);
const SEED = Number(process.env['SIMULATION_SEED'] ?? 20_261_119);
/** Each planted fault has to show among so many. */
const PLANTED = 10_000;

/** Of many, a process of its own on every core has its part. */
async function simulateAll(): Promise<(Broken | null)[]> {
  if (SCHEDULES <= 10_000) return [await simulate(SEED, SCHEDULES)];
  const cores = availableParallelism();
  const count = Math.ceil(SCHEDULES / cores);
  const parts = Array.from({ length: cores }, async (_, core) => {
    const child = fork(new URL('./testing/simulation.ts', import.meta.url), { execArgv: [] });
    child.send({ seed: SEED + core * count, count });
    const [broken] = await once(child, 'message');
    return broken as Broken | null; // as the end of simulation.ts sends it
  });
  return Promise.all(parts);
}

// A schedule that breaks a promise is repeated by SIMULATION_SEED and SCHEDULES=1.
test(`${SCHEDULES} schedules from seed ${SEED} keep every promise`, async () => {
  const startedAt = performance.now();
  const broken = await simulateAll();
  const aMinute = Math.round((SCHEDULES * 60_000) / (performance.now() - startedAt));
  figures.note({ schedules: SCHEDULES, schedulesAMinute: aMinute });
  figures.judge({
    goal: `Simulation: ${SCHEDULES} schedules, every promise kept; 1,000,000 a minute`,
    measured: `${broken.filter((one) => one !== null).length} broken, ${aMinute} a minute`,
    isMet: broken.every((one) => one === null) && aMinute >= 1_000_000,
  });
  expect(broken.filter((one) => one !== null)).toEqual([]);
});

test.each(PLANTS)('finds %s, and finds it again by the seed', async (plant) => {
  const broken = await simulate(SEED, PLANTED, plant);
  expect(broken).not.toBeNull();
  expect(await simulate(broken?.seed ?? 0, 1, plant)).toEqual(broken);
  expect(await simulate(broken?.seed ?? 0, 1)).toBeNull();
});
