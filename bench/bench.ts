import { cpus, loadavg } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { runTool } from '../server/src/cli/run-tool.ts';
import { createClosers } from '../server/src/closers.ts';
import { StartError } from '../server/src/start-error.ts';
import { isWhole, readArguments, USAGE } from './arguments.ts';
import type { Plan } from './arguments.ts';
import { measure } from './measure-all.ts';
import { writeResults } from './report/results-page.ts';
import { asText, marksTableOf, tableOf } from './report/table.ts';

const say = (text: string) => void process.stdout.write(`${text}\n`);

await runTool({ name: 'bench', untouched: 'Nothing was written.' }, async () => {
  const isBusy = loadOfOneMinute() > cpus().length;
  const plan = readArguments(process.argv.slice(2), isBusy);
  if (plan === 'help') say(USAGE);
  else await bench(plan);
});

async function bench(plan: Plan): Promise<void> {
  const closers = createClosers();
  const interrupted = new Promise<never>((_, reject) => {
    const stop = () => reject(new StartError('Stopped.'));
    process.once('SIGINT', stop).once('SIGTERM', stop);
  });
  const limit = delay(plan.limitMs, undefined, { ref: false }).then(() => {
    throw new StartError(`Not done after ${plan.limitMs / 60_000} minutes; stopped.`);
  });
  const loadAtStart = loadOfOneMinute();
  const startedAt = performance.now();
  try {
    const { rows, ...found } = await Promise.race([
      measure(plan, closers, say),
      interrupted,
      limit,
    ]);
    say(`\n${asText(tableOf(rows))}\n\n${asText(marksTableOf(rows))}\n`);
    if (!isWhole(plan)) return;
    await writeResults(rows, {
      date: new Date().toISOString().slice(0, 10),
      mode: plan.mode,
      node: process.versions.node,
      ...found,
      system: `${process.platform} ${process.arch}`,
      cpus: cpus().length,
      loadAtStart,
      seconds: (performance.now() - startedAt) / 1000,
    });
    say('Written to bench/RESULTS.md.');
  } finally {
    await closers.closeAll();
  }
}

function loadOfOneMinute(): number {
  return loadavg()[0] ?? 0;
}
