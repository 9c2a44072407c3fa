import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { readOption, runTool, splitArguments } from '../server/src/cli/cli.ts';
import { createClosers } from '../server/src/background-task.ts';
import type { Closers } from '../server/src/background-task.ts';
import { listOf, oneOf } from '../server/src/config/parsers.ts';
import { StartError } from '../server/src/start-error.ts';
import { connect, FEW, fillOnce, startCluster, USERS } from './databases.ts';
import type { Sizes } from './databases.ts';
import { claims, engine } from './engine.ts';
import { pages } from './pages.ts';
import { countText, readingsOf, resultsOf } from './marks.ts';
import type { Reading } from './marks.ts';
import { reads, search } from './reads.ts';
import { status } from './status.ts';
import { exports, streams } from './streams.ts';

const USAGE = `Measures what Meridian costs on this machine and holds it against its marks. Starts everything that
it needs, ends it again, prints every reading and writes the marks to bench/RESULTS.md.

  npm run bench

  --small        300,000 posts at most instead of 10,000,000, and short rounds
  --only PARTS   some parts, separated by commas: reads, search, exports, pages, streams,
                 status, engine, claims; nothing is written to a file then
  --help         this text
`;

const FULL = { some: 1e6, many: 1e7, budgetMs: 5_000, burst: 100_000, seconds: 60 };
const SMALL = { some: 1e5, many: 3e5, budgetMs: 500, burst: 10_000, seconds: 15 };

/** Parts that change posts come after all that read them, so no part needs a copy. */
const PARTS = { reads, search, exports, pages, streams, status, engine, claims };
// Object.keys forgets the type of the names.
const NAMES = Object.keys(PARTS) as (keyof typeof PARTS)[];

const say = (text: string) => void process.stdout.write(`${text}\n`);

await runTool({ name: 'bench', untouched: 'Nothing was written.' }, async () => {
  const { values } = splitArguments({
    args: process.argv.slice(2),
    options: {
      small: { type: 'boolean', default: false },
      only: { type: 'string', default: NAMES.join() },
      help: { type: 'boolean', default: false },
    },
  });
  const wanted = readOption('only', listOf(oneOf(...NAMES)), values.only);
  const parts = NAMES.filter((name) => wanted.includes(name));
  if (values.help) say(USAGE);
  else await bench(parts, values.small ? SMALL : FULL);
});

async function bench(parts: typeof NAMES, sizes: Sizes): Promise<void> {
  const closers = createClosers();
  const signals = [once(process, 'SIGINT'), once(process, 'SIGTERM')];
  const stopped = Promise.race(signals).then(() => Promise.reject(new StartError('Stopped.')));
  try {
    await Promise.race([run(parts, sizes, closers), stopped]);
  } finally {
    await closers.closeAll();
  }
}

async function run(parts: typeof NAMES, sizes: Sizes, closers: Closers): Promise<void> {
  const startedAt = performance.now();
  const load = loadavg()[0] ?? 0;
  const cluster = await startCluster(closers);
  const bench = { sizes, filled: fillOnce(cluster) };
  const readings: Reading[] = [];
  for (const name of parts) {
    const partClosers = createClosers();
    closers.add(() => partClosers.closeAll());
    readings.push(...(await PARTS[name](bench, partClosers)));
    await partClosers.closeAll();
    say(`Measured ${name} (${Math.round((performance.now() - startedAt) / 1000)} s so far).`);
  }
  const { first } = await connect(cluster, closers);
  const { version } = await first<{ version: string }>('select version()');
  const postgresql = version.split(' ', 2).join(' ');
  const day = new Date().toISOString().slice(0, 10);
  const minutes = Math.round((performance.now() - startedAt) / 60_000);
  const [few, some, many, users] = [FEW, sizes.some, sizes.many, USERS].map(countText);
  const note = sizes === SMALL ? ' **Small numbers: the marks are meant for the full run.**' : '';
  const page = `# What it costs

Written by \`npm run bench\` on ${day}: Node ${process.versions.node}, ${postgresql}, ${process.platform} ${process.arch}, ${cpus().length} CPUs,
load average ${load.toFixed(2)} at the start, ${minutes} minutes. Few posts are ${few}, many ${many}, and ${some}
where nothing is said; of ${users} users.${note}

A ratio is ours by the reference, in small rounds that take turns: a busy machine hits both sides alike, so
ratios hold from one machine to the next and milliseconds do not. Client, servers and database share the CPUs.
The bare route sends the rows of our own statement without session, validation or headers. Autovacuum waits.
Where lateness is measured, two engines publish to twenty hosts that respond after 50 ms.

${resultsOf(readings)}`;
  say(`\n${readingsOf(readings)}\n\n${page}`);
  if (parts.length < NAMES.length) return;
  await writeFile(new URL('RESULTS.md', import.meta.url), page);
  say('Written to bench/RESULTS.md.');
}
