import './lib/require-node.mjs';
import { randomInt } from 'node:crypto';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cleanEnv } from './lib/clean-env.mjs';
import { figuresTable, readFigures, writeFigures } from './lib/figures.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root } from './lib/root.mjs';
import { endWithChildren, run } from './lib/run.mjs';
import { main, say, Stop } from './lib/say.mjs';
import { printSummary, step } from './lib/steps.mjs';
import { runVitest } from './lib/test-runs.mjs';

const USAGE = `The tests of npm test at full numbers, and load, overload and a soak: a few hours on a quiet machine.

  npm run test:hard -- [parts] [--seed N] [--soak-minutes N] [--small]

  parts            hostile races kills faults load overload idle slow soak; all when none is named
  --seed N         the seed of an earlier run, to see the same again
  --soak-minutes N how long the soak takes, 20 by default
  --small          small numbers, to see that everything works; the figures mean little
`;

const LOAD = ['load', 'overload', 'idle', 'slow', 'soak'];

await main(async () => {
  const { values, positionals } = parseArgs({
    options: {
      seed: { type: 'string' },
      'soak-minutes': { type: 'string' },
      small: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if (values.help) return void process.stdout.write(USAGE);
  const seed = values.seed ?? String(randomInt(2 ** 31));
  const startedAt = new Date().toISOString().replaceAll(':', '-').slice(0, 19);
  const folder = join(root, '.cache', 'hard', startedAt);
  const file = join(folder, 'figures.jsonl');
  const env = { FIGURES_FILE: file };
  const tests = testParts(seed, values.small);
  const parts = positionals.length > 0 ? positionals : [...Object.keys(tests), ...LOAD];
  for (const name of parts) {
    if (!(name in tests) && !LOAD.includes(name)) throw new Stop(`No part ${name}.\n\n${USAGE}`);
  }

  endWithChildren();
  await ensureInstalled();
  const machine = { node: process.versions.node, cpus: cpus().length, loadAtStart: loadavg()[0] };
  writeFigures(join(folder, 'run.json'), { seed, parts, small: values.small, ...machine });
  say(`Seed ${seed}, load average ${machine.loadAtStart.toFixed(1)}.`);
  const steps = [];
  for (const name of parts) {
    const part = tests[name];
    const body = part
      ? () => runVitest(['--project', 'server', ...part.files], { ...env, ...part.env })
      : () => runLoad(name, seed, values, env);
    steps.push(await step(name, body));
  }

  const figures = readFigures(file);
  process.stdout.write(`\n${figuresTable(figures)}\n`);
  writeFigures(join(folder, 'results.json'), {
    seed,
    ...machine,
    small: values.small,
    steps,
    figures,
  });
  say(`Seed ${seed}. Written to ${join('.cache', 'hard', startedAt, 'results.json')}.`);
  return printSummary(steps);
});

/** What npm test runs too, with larger numbers. */
function testParts(seed, isSmall) {
  const number = (full, small) => String(isSmall ? small : full);
  return {
    hostile: {
      files: ['server/test/hostile'],
      env: { HOSTILE_RUNS: number(1_500, 20), HOSTILE_SEED: seed },
    },
    races: {
      files: ['server/test/races'],
      env: { RACE_ROUNDS: number(200, 8), RACE_SEED: seed },
    },
    kills: {
      files: ['server/test/kills.test.ts'],
      env: { KILLS: number(50, 2), KILLS_OF_BOTH: number(50, 1), KILL_SEED: seed },
    },
    faults: { files: ['server/test/faults.test.ts'], env: {} },
  };
}

/** Each on a server of its own: what one leaves behind in memory is not the next one's. */
async function runLoad(name, seed, { small, 'soak-minutes': minutes }, env) {
  const args = [join('server', 'test', 'hard', 'load-cli.ts'), name, '--seed', seed];
  if (small) args.push('--small');
  if (minutes !== undefined) args.push('--soak-minutes', minutes);
  return run(process.execPath, args, { env: cleanEnv(env), show: true });
}
