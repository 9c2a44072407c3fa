import { createWriteStream } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';

const instant = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as ${column.replace('p.', '')}`;

const PEOPLE = `
  select id, did, handle, display_name, avatar, status, is_active, has_access_keyword_access,
    upgrade_prohibited, ${instant('created_at')}, ${instant('updated_at')}
  from users order by id`;

/** Begun by an engine: whether it is public is in the journal, which an import does not have. */
const IS_UNDER_WAY = `
  (p.status = 'PROCESSING' or p.status = 'PENDING' and exists (select from deliveries d where d.post_id = p.id))`;

/** Of an open post cause and hold are the engine's, which finds them anew. */
const POSTS = `
  select p.id, u.did, p.content, p.facets, p.embed, p.languages,
    case when ${IS_UNDER_WAY} then 'PROCESSING' else p.status end as status,
    ${['scheduled_at', 'created_at', 'updated_at', 'executed_at'].map((name) => instant(`p.${name}`)).join(', ')},
    p.at_uri, p.at_rkey, p.error_msg,
    case when p.status in ('COMPLETED', 'FAILED', 'CANCELLED') then p.cause end as cause,
    p.reply_to, p.thread, p.retry_of
  from posts p join users u on u.id = p.user_id order by p.id`;

export type Exported = { people: number; posts: number; underWay: number };

/** Writes people.ndjson and posts.ndjson from one snapshot. The folder may hold no such files yet. */
export async function exportFiles(client: Client, folder: string): Promise<Exported> {
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

/** Under its name only when it is whole: an interrupted export is not taken for a small one. */
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
