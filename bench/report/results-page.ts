import { readFile, writeFile } from 'node:fs/promises';
import type { Row } from './row.ts';
import { asMarkdown, marksTableOf, tableOf } from './table.ts';

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

/** The last run as a page to read. What was written by hand is in notes.md. */
export async function writeResults(rows: readonly Row[], how: Circumstances): Promise<void> {
  const notes = await readFile(new URL('notes.md', FOLDER), 'utf8');
  await writeFile(new URL('RESULTS.md', FOLDER), pageOf(rows, how, notes));
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
