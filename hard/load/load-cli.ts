import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { judge } from '../../server/test/figures.ts';
import type { Verdict } from '../../server/test/figures.ts';
import { d5, d6, d8, d9, soak } from './parts.ts';
import type { Scale } from './parts.ts';
import { startStand } from './stand.ts';
import type { Sizes, Stand } from './stand.ts';

const PARTS: Record<string, (stand: Stand, scale: Scale) => Promise<Verdict[]>> = {
  load: d5,
  overload: d6,
  idle: d8,
  slow: d9,
  soak,
};

const FULL: Sizes & Scale = {
  users: 5_000,
  posts: 100_000,
  tickets: 50_000,
  plans: 200,
  warmUpSeconds: 30,
  loadSeconds: 15 * 60,
  overloadSeconds: 5 * 60,
  idleLines: 10_000,
  slowLines: 4_000,
  slowSeconds: 120,
  soakMinutes: 20,
};

/** Shows that every part works; its figures mean little. */
const SMALL: Sizes & Scale = {
  users: 200,
  posts: 2_000,
  tickets: 500,
  plans: 10,
  warmUpSeconds: 4,
  loadSeconds: 8,
  overloadSeconds: 8,
  idleLines: 500,
  slowLines: 80,
  slowSeconds: 30,
  soakMinutes: 0.5,
};

const { values, positionals } = parseArgs({
  options: {
    small: { type: 'boolean', default: false },
    seed: { type: 'string', default: 'hard' },
    'soak-minutes': { type: 'string' },
  },
  allowPositionals: true,
});
const size = values.small ? SMALL : FULL;
const minutes = values['soak-minutes'];
const scale = minutes === undefined ? size : { ...size, soakMinutes: Number(minutes) };

const stand = await startStand(size, values.seed);
const { pid } = stand.server;
const cores = stand.isSeparate
  ? 'one core for server and database, one for the load'
  : 'cores shared';
try {
  for (const name of positionals) {
    const part = PARTS[name];
    if (part === undefined) throw new Error(`There is no part ${name}`);
    process.stdout.write(`  ${name}, load average ${(loadavg()[0] ?? 0).toFixed(1)}, ${cores}\n`);
    const verdicts = await part(stand, scale);
    if (!stand.server.isRunning) {
      verdicts.push({ goal: `${name}: the same process`, measured: `${pid} ended`, isMet: false });
    }
    for (const verdict of verdicts) judge(verdict);
    if (verdicts.some(({ isMet }) => !isMet)) process.exitCode = 1;
  }
} finally {
  await stand.close();
}
