import { readFile, writeFile } from 'node:fs/promises';
import { ratioOf } from './row.ts';
import type { Row } from './row.ts';
import { asMarkdown, marksTableOf, tableOf } from './table.ts';
import { verdictsOf } from './verdicts.ts';

/** Under what circumstances the numbers came about. Nothing that names a machine. */
export type Circumstances = {
  date: string;
  mode: string;
  node: string;
  postgresql: string;
  chromium: string;
  system: string;
  cpus: number;
  loadAtStart: number;
  seconds: number;
  data: string;
};

const FOLDER = new URL('../', import.meta.url);

/** The last run as a page to read and as data. What was written by hand is in notes.md. */
export async function writeResults(rows: readonly Row[], how: Circumstances): Promise<void> {
  const notes = await readFile(new URL('notes.md', FOLDER), 'utf8');
  await writeFile(new URL('RESULTS.md', FOLDER), pageOf(rows, how, notes));
  const data = {
    ...how,
    marks: verdictsOf(rows).map(({ mark, measured, isMet, row }) => {
      return { mark, measured, isMet, where: row.name };
    }),
    rows: rows.map((row) => Object.assign({ ratio: ratioOf(row) }, row)),
  };
  await writeFile(new URL('results.json', FOLDER), `${JSON.stringify(data, rounded, 2)}\n`);
}

function pageOf(rows: readonly Row[], how: Circumstances, notes: string): string {
  return `# What it costs

Written by \`npm run bench\`, last on ${how.date} (${how.mode} run, ${Math.round(how.seconds)} s): Node ${how.node},
PostgreSQL ${how.postgresql}, Chromium ${how.chromium}, ${how.system}, ${how.cpus} CPUs,
load average ${how.loadAtStart.toFixed(2)} at the start. ${how.data}

## The marks

${asMarkdown(marksTableOf(rows))}

${notes.trim()}

## Everything that was measured

${asMarkdown(tableOf(rows))}
`;
}

/** Four digits say all that a second run would confirm. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === 'number' ? Number(value.toPrecision(5)) : value;
}
