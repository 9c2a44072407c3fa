import './lib/require-node.mjs';
import { randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { installWithApt } from './lib/apt.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { cleanEnv } from './lib/clean-env.mjs';
import { ensurePages } from './lib/page-builds.mjs';
import { ensureFirefox } from './lib/firefox.mjs';
import { figuresTable, readFigures, writeFigures } from './lib/figures.mjs';
import { LOAD_PARTS, testParts } from './lib/hard-parts.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root } from './lib/root.mjs';
import { endWithChildren, run } from './lib/run.mjs';
import { main, say, Stop } from './lib/say.mjs';
import { printSummary, step } from './lib/steps.mjs';
import { runPlaywright, runVitest } from './lib/test-runs.mjs';
import { rowsOf, verdictTable } from './lib/verdicts.mjs';

const USAGE = `What npm test leaves out, at full numbers, with load, overload and a soak: two hours on two quiet cores.

  npm run test:hard -- [parts] [--seed N] [--soak-minutes N] [--small]

  parts            rest screens hostile databases races kills engine worker bulk import faults restarts disk
                   clock switches timing browser desk firefox failover load overload idle slow soak; all
                   when none is named
  --seed N         the seed of an earlier run, to see the same again
  --soak-minutes N how long the soak takes, 20 by default
  --small          small numbers, to see that everything works; the figures mean little
`;

/** A database is restored, replaced or stopped; a program that shares no code with ours judges the result. */
const FAILOVER = 'failover';
/** Every screen once in another browser than the one of npm test. */
const FIREFOX = 'firefox';
/** Bounds what hangs, whatever the numbers. */
const HANGS_MS = 30 * 60_000;

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
  const known = [...Object.keys(tests), FIREFOX, FAILOVER, ...LOAD_PARTS];
  const parts = positionals.length > 0 ? positionals : known;
  for (const name of parts) {
    if (!known.includes(name)) throw new Stop(`No part ${name}.\n\n${USAGE}`);
  }

  endWithChildren();
  await ensureInstalled();
  const machine = { node: process.versions.node, cpus: cpus().length, loadAtStart: loadavg()[0] };
  writeFigures(join(folder, 'run.json'), { seed, parts, small: values.small, ...machine });
  say(`Seed ${seed}, load average ${machine.loadAtStart.toFixed(1)}.`);
  const steps = [];
  const verdicts = [];
  // One after the other, and on to the next whatever became of it.
  for (const name of parts) {
    const part = tests[name];
    const before = readFigures(file).length;
    const done = await step(name, () => {
      if (name === FIREFOX) return runFirefox(env);
      if (name === FAILOVER) return runFailover(values.small, env);
      return part ? runTests(part, env) : runLoad(name, seed, values, env);
    });
    steps.push({ ...done, note: `load average ${loadavg()[0].toFixed(1)}` });
    verdicts.push(...rowsOf(name, part, done, readFigures(file).slice(before)));
  }

  const figures = readFigures(file).filter(({ goal }) => goal === undefined);
  process.stdout.write(`\n${figuresTable(figures)}\n\n${verdictTable(verdicts)}\n`);
  const result = { seed, ...machine, small: values.small, steps, verdicts, figures };
  writeFigures(join(folder, 'results.json'), result);
  const code = printSummary(steps);
  const missed = verdicts.filter(({ isMet }) => isMet === false).length;
  const met = verdicts.filter(({ isMet }) => isMet).length;
  say(`${met} goals met, ${missed} not met. Seed ${seed}.`);
  say(`Written to ${join('.cache', 'hard', startedAt, 'results.json')}.`);
  return missed === 0 ? code : 1;
});

async function runTests({ files, env, isInBrowser, program }, shared) {
  if (program !== undefined && !existsSync(program.path)) {
    await installWithApt(program.name, [program.package]);
  }
  if (!isInBrowser) {
    const args = [`--testTimeout=${HANGS_MS}`, ...files];
    return runVitest(args, { ...shared, ...env });
  }
  await ensurePages(cleanEnv());
  return runPlaywright(await ensureChromium(), files, { ...shared, ...env });
}

async function runFirefox(shared) {
  await ensurePages(cleanEnv());
  const env = cleanEnv({ ...shared, FIREFOX_PATH: await ensureFirefox() });
  return run(process.execPath, [join('e2e', 'firefox', 'smoke.ts')], { env, show: true });
}

async function runFailover(isSmall, shared) {
  if (!existsSync('/usr/lib/postgresql')) await installWithApt('PostgreSQL', ['postgresql']);
  const args = [join('hard', 'failover', 'failover.mjs'), ...(isSmall ? ['--small'] : [])];
  return run(process.execPath, args, { env: cleanEnv(shared), show: true });
}

/** Each on a server of its own: what one leaves behind in memory is not the next one's. */
async function runLoad(name, seed, { small, 'soak-minutes': minutes }, env) {
  const args = [join('server', 'test', 'hard', 'load-cli.ts'), name, '--seed', seed];
  if (small) args.push('--small');
  if (minutes !== undefined) args.push('--soak-minutes', minutes);
  return run(process.execPath, args, { env: cleanEnv(env), show: true });
}
