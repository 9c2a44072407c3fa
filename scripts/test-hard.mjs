import { randomInt } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { LEFT_OUT_FILES, LEFT_OUT_TITLES } from './lib/left-out.mjs';
import { ensureInstalled, ensurePages, ensureProgram } from './lib/prepare.mjs';
import { cleanEnv, endWithChildren, pinnedNode, run } from './lib/processes.mjs';
import { root } from './lib/root.mjs';
import { main, say, Stop } from './lib/say.mjs';
import { printSummary, runPlaywright, runVitest, step } from './lib/test-runs.mjs';

/** Bounds what hangs, whatever the numbers. */
const HANGS_MS = 30 * 60_000;
const SEEDS = ['HOSTILE', 'RACE', 'KILL', 'SWITCH', 'TIMING', 'SIMULATION'];
const LOAD_SCRIPT = 'hard/load/load-cli.ts';
const MET = { true: 'met    ', false: 'NOT MET' };
const LOADS = ['load', 'overload', 'idle', 'slow', 'soak'];

const BROWSER_TITLES =
  '(states.faults|loading|hostile-words|token|back-forward-cache|two-tabs|expired-forms|one-write|conflicts)[.a-z]*.spec';

/** The goals stand in docs/reliability.md. A setting has its full value and its small one. */
const PARTS = {
  rest: { files: LEFT_OUT_FILES, program: 'PgBouncer' },
  screens: { specs: ['--grep', LEFT_OUT_TITLES] },
  hostile: unit('hostile', { HOSTILE_RUNS: [1_500, 20] }),
  databases: { files: ['server/src'], settings: { BOTH_DATABASES: ['yes', 'yes'] } },
  races: unit('races', { RACE_ROUNDS: [200, 8] }),
  kills: unit('kills/kills', { KILLS: [50, 2], KILLS_OF_BOTH: [50, 1] }),
  engine: unit('engine/kills engine/restart', {
    ENGINE_POSTS: [20_000, 200],
    ENGINE_KILLS: [200, 7],
  }),
  simulation: gate('server/src/engine/simulation', { SCHEDULES: [1_000_000, 10_000] }),
  bulk: unit('kills/bulk-kill', { BULK_POSTS: [100_000, 3_000] }),
  import: unit('kills/import-kill', { IMPORT_POSTS: [1_000_000, 6_000] }),
  faults: unit('faults/faults'),
  restarts: unit('kills/restarts', { RESTARTS: [6, 2], RESTART_EVERY_MS: [20_000, 2_000] }),
  disk: unit('faults/disk-full', { FULL_DISK: ['yes', 'yes'] }),
  clock: unit('faults/clock', { EVERY_CLOCK: ['yes', 'yes'] }),
  switches: gate('server/src/engine/ hard/engine/hosts', {
    SWITCH_OFFSETS: [200, 10],
    HOST_POSTS: [40, 4],
    IDLE_SECONDS: [30, 5],
  }),
  timing: unit('timing', { TIMING_TRIPLES: [1_000, 20] }),
  browser: { specs: ['--grep', BROWSER_TITLES], settings: { BROWSER_ROUNDS: [20, 2] } },
  // One after the other: they share the database and its engine.
  many: { specs: ['--workers=1'], settings: { STORY_POSTS: [1_000_000, 300_000] } },
  firefox: { script: 'e2e/firefox/smoke.ts', program: 'Firefox' },
  failover: { script: 'hard/failover/failover.mjs', program: 'PostgreSQL' },
  openapi: { script: 'hard/openapi/check.mjs', packages: 'hard/openapi' },
  // Each on a server of its own: what one leaves behind in memory is not the next one's.
  ...Object.fromEntries(LOADS.map((load) => [load, { script: LOAD_SCRIPT, load }])),
};

const USAGE = `What npm test leaves out, at full numbers, with load, overload and a soak: hours on two quiet cores.

  npm run test:hard -- [parts] [--seed N] [--soak-minutes N] [--small]

  parts            all when none is named: ${Object.keys(PARTS).join(' ')}
  --seed N         the seed of an earlier run, to see the same again
  --soak-minutes N how long the soak takes, 20 by default
  --small          small numbers, to see that everything works; the figures mean little
`;

await main(async () => {
  const { values, positionals } = parseArgs({
    options: {
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
      'soak-minutes': { type: 'string' },
      small: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
    allowPositionals: true,
  });
  if (values.help) return void process.stdout.write(USAGE);
  const names = positionals.length > 0 ? positionals : Object.keys(PARTS);
  const stranger = names.find((name) => !Object.hasOwn(PARTS, name));
  if (stranger !== undefined) throw new Stop(`No part ${stranger}.\n\n${USAGE}`);

  endWithChildren();
  await ensureInstalled();
  const folder = join(root, '.cache', 'hard');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${new Date().toISOString().replaceAll(':', '-')}.jsonl`);
  say(`Seed ${values.seed}, load average ${loadavg()[0].toFixed(1)}.`);
  const steps = [];
  // One after the other, and on to the next whatever became of it.
  for (const name of names) {
    steps.push(await step(name, () => runPart(PARTS[name], values, file)));
  }

  const code = printSummary(steps);
  say(`Seed ${values.seed}; what was measured is in ${file}.`);
  return sayGoals(file) || code;
});

function unit(files, settings) {
  return { files: files.split(' ').map((file) => `hard/${file}`), settings };
}

/** `npm test` runs these too, in small numbers. */
function gate(files, settings) {
  return { files: files.split(' '), settings };
}

async function runPart({ program, packages, settings = {}, ...part }, values, file) {
  if (packages) await ensureInstalled(join(root, packages), '130 MB');
  const { 'soak-minutes': minutes } = values;
  const seeds = SEEDS.map((name) => [`${name}_SEED`, values.seed]);
  const numbers = Object.entries(settings).map(([name, sizes]) => [
    name,
    sizes[values.small ? 1 : 0],
  ]);
  const env = {
    FIGURES_FILE: file,
    ...Object.fromEntries([...seeds, ...numbers]),
    ...(program && (await ensureProgram(program))),
  };
  if (part.files) return runVitest([`--testTimeout=${HANGS_MS}`, ...part.files], env);
  if (part.specs || program === 'Firefox') await ensurePages(cleanEnv());
  if (part.specs) {
    return runPlaywright(part.specs, { ...env, ...(await ensureProgram('Chromium')) });
  }
  const flags = values.small ? ['--small'] : [];
  if (part.load) flags.push(part.load, '--seed', values.seed);
  if (part.load && minutes) flags.push('--soak-minutes', minutes);
  return run(pinnedNode(), [part.script, ...flags], { env: cleanEnv(env), show: true });
}

/** Prints the goals that the parts noted in the file, and answers 1 when one was missed, else 0. */
function sayGoals(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : [];
  const goals = lines.map((line) => JSON.parse(line)).filter(({ goal }) => goal !== undefined);
  for (const { goal, measured, isMet } of goals) say(`  ${MET[isMet]}  ${goal}: ${measured}`);
  return goals.every(({ isMet }) => isMet) ? 0 : 1;
}
