import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import {
  ArgumentError,
  DATABASE_OPTIONS,
  DATABASE_USAGE,
  databasePlace,
  readDatabaseUrl,
  runTool,
  say,
  splitArguments,
  withReadOnlyClient,
  withToolDatabase,
} from '../cli/cli.ts';

const instant = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${column.replace('p.', '')}`;

const PEOPLE = `
  select id, did, handle, display_name, avatar, status, is_active, has_access_keyword_access,
    upgrade_prohibited, ${instant('created_at')}, ${instant('updated_at')}
  from users order by id`;

/** An engine has begun these; only the journal, which an import lacks, tells whether they are public. */
const IS_UNDER_WAY = `
  (p.status = 'PROCESSING' or p.status = 'PENDING' and exists (select from deliveries d where d.post_id = p.id))`;

/** The engine finds the cause and hold of an open post anew. */
const POSTS = `
  select p.id, u.did, p.content, p.facets, p.embed, p.languages,
    case when ${IS_UNDER_WAY} then 'PROCESSING' else p.status end as status,
    ${['scheduled_at', 'created_at', 'updated_at', 'executed_at'].map((name) => instant(`p.${name}`)).join(', ')},
    p.at_uri, p.at_rkey, p.error_msg,
    case when p.status in ('COMPLETED', 'FAILED', 'CANCELLED') then p.cause end as cause,
    p.reply_to, p.thread, p.retry_of
  from posts p join users u on u.id = p.user_id order by p.id`;

async function exportFiles(client: Client, folder: string) {
  await mkdir(folder, { recursive: true });
  await client.query('begin isolation level repeatable read read only');
  const people = await writeFile(client, PEOPLE, join(folder, 'people.ndjson'));
  const posts = await writeFile(client, POSTS, join(folder, 'posts.ndjson'));
  const { rows } = await client.query<{ n: number }>(
    `select count(*)::integer as n from posts p where ${IS_UNDER_WAY}`,
  );
  await client.query('commit');
  return { people, posts, underWay: rows[0]?.n ?? 0 };
}

/** The file gets its name when it is whole: an interrupted export is not taken for a small one. */
async function writeFile(client: Client, query: string, file: string): Promise<number> {
  // As CSV with a quote and a delimiter that JSON never contains, a line is the JSON text itself.
  const rows = client.query(
    copyTo(
      `copy (select row_to_json(line) from (${query}) as line)
       to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`,
    ),
  );
  const part = `${file}.part`;
  await pipeline(rows, createWriteStream(part, { mode: 0o600 }));
  await rename(part, file);
  return rows.rowCount;
}

const USAGE = `Writes every person and every post as lines of JSON: people.ndjson and posts.ndjson, both of one
moment, in the format that npm run import reads (docs/import.md). Only reads the database.

  npm run export -- --out DIR

  --out DIR            the folder to write to; made if it is missing, refused if it has such files
${DATABASE_USAGE}
Ends with code 3 when posts were being published at that moment: they are in the file as PROCESSING, and
an import refuses them.
`;

const OPTIONS = {
  out: { type: 'string' },
  ...DATABASE_OPTIONS,
} as const;

const UNDER_WAY = 3;

await runTool({ name: 'export', untouched: 'Nothing was changed.' }, async () => {
  const { values } = splitArguments({ args: process.argv.slice(2), options: OPTIONS }, USAGE);
  const place = databasePlace(readDatabaseUrl(values['database-url']));
  const { out } = values;
  if (out === undefined) throw new ArgumentError('Name the folder to write to: --out DIR.');
  for (const name of ['people.ndjson', 'posts.ndjson']) {
    if (existsSync(join(out, name))) throw new ArgumentError(`${join(out, name)} exists already.`);
  }
  await withToolDatabase(place, (connection) =>
    withReadOnlyClient(connection, async (client) => {
      const { people, posts, underWay } = await exportFiles(client, out);
      const [some, more] = [people, posts].map((count) => count.toLocaleString('en'));
      say(`Wrote ${some} people and ${more} posts to ${resolve(out)}.`);
      if (underWay === 0) return;
      process.stderr.write(
        `${underWay.toLocaleString('en')} posts were being published. An import refuses them; to have them too, suspend the service, wait until none is PROCESSING, and export again.\n`,
      );
      process.exitCode = UNDER_WAY;
    }),
  );
});
