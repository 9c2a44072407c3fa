import type { Db } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import { textsOf } from '../../server/src/engine/testing/due-posts.ts';
import { POST_COLLECTION } from '../../server/src/network/network.ts';

export type Verdict = {
  posts: number;
  /** Texts with more than one record. */
  duplicates: string[];
  /** Posts that are not completed, or lack a record. */
  lost: string[];
  /** Posts that were PENDING after they had been sent. */
  pendingThoughSent: string[];
  /** Posts whose address is not the one of their record. */
  wrongAddress: string[];
};

type Row = { id: string; status: string; at_uri: string | null; is_thread: boolean };

/** Keeps when posts went back to PENDING, for `judge`. */
export async function watchPending(db: Db): Promise<void> {
  await db.execute(sql`
    create table given_back (post_id uuid, at timestamptz not null default clock_timestamp())`);
  await db.execute(sql`
    create function keep_given_back() returns trigger language plpgsql as $$
    begin
      insert into given_back values (new.id);
      return null;
    end $$`);
  await db.execute(sql`
    create trigger keep_given_back after update of status on posts for each row
    when (old.status <> 'PENDING' and new.status = 'PENDING') execute function keep_given_back()`);
}

/** Compares all posts with the records of their authors on the host. */
export async function judge(
  db: Db,
  host: string,
  firstSentAt: ReadonlyMap<string, number>,
): Promise<Verdict> {
  const records = await readRecords(db, host);
  const posts = await db.many<Row>(sql`
    select id, status, at_uri, thread is not null as is_thread from posts order by id`);
  const texts = posts.map(({ id, is_thread: isThread }) => ({ id, texts: textsOf(id, isThread) }));
  const release = await db.many<{ id: string; ms: number }>(sql`
    select post_id::text as id, max(extract(epoch from at) * 1000)::float8 as ms
    from given_back group by post_id`);
  return {
    posts: posts.length,
    duplicates: [...records].filter(([, uris]) => uris.length > 1).map(([text]) => text),
    lost: posts
      .filter(({ status }, index) => {
        const hasAll = texts[index]?.texts.every((text) => records.has(text));
        return status !== 'COMPLETED' || hasAll !== true;
      })
      .map(({ id, status }) => `${id} ${status}`),
    pendingThoughSent: release
      .filter(({ id, ms }) => ms > (firstSentAt.get(id) ?? Infinity))
      .map(({ id }) => id),
    wrongAddress: posts
      .filter(({ id, at_uri }) => at_uri !== (records.get(id)?.[0] ?? null))
      .map(({ id }) => id),
  };
}

const PAGE = 100;
type Page = { records: { uri: string; value: { text: string } }[]; cursor?: string };

/** The addresses of all records, by their text. */
async function readRecords(db: Db, host: string): Promise<Map<string, string[]>> {
  const users = await db.many<{ did: string }>(sql`select did from users`);
  const found = new Map<string, string[]>();
  for (const { did } of users) {
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await readPage(host, did, cursor);
      for (const { uri, value } of page.records) {
        found.set(value.text, [...(found.get(value.text) ?? []), uri]);
      }
      cursor = page.records.length < PAGE ? undefined : page.cursor;
    }
  }
  return found;
}

async function readPage(host: string, repo: string, cursor: string): Promise<Page> {
  const query = new URLSearchParams({ repo, collection: POST_COLLECTION, limit: String(PAGE) });
  if (cursor !== '') query.set('cursor', cursor);
  const response = await fetch(`${host}/xrpc/com.atproto.repo.listRecords?${query.toString()}`);
  if (!response.ok) throw new Error(`listRecords: ${response.status} ${await response.text()}`);
  // The test runs the host itself.
  return (await response.json()) as Page;
}
