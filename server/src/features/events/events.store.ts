import { EVENT_TOPICS } from '@meridian/contract/events';
import type { EventTopic } from '@meridian/contract/events';
import { totalsByStatus } from '../../counters/totals.ts';
import type { Noun } from '../../counters/totals.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { nounOfEntry } from '../nouns.ts';

/**
 * The state of the data: the last entry of the audit log, which counts up in commit order, digests
 * of the counters, which the engine moves, and one of the last redemption, which has no entry. The same
 * for every process, also after a restart.
 */
export type Position = { entry: number; posts: string; users: string; redeemed: string };

/** More entries than this are not looked through. */
const MAX_ENTRIES = 1_000;

export async function readPosition(db: Db): Promise<Position> {
  return db.one<Position>(sql`
    select last_id as entry, ${digestOf(totalsText('posts'))} as posts, ${digestOf(totalsText('users'))} as users,
      ${digestOf(sql`select max(created_at)::text from plan_assignments where ticket_id is not null`)} as redeemed
    from audit_head`);
}

function totalsText(noun: Noun): Sql {
  return sql`select string_agg(status || n, ' ' order by status) from (${totalsByStatus(noun)}) as totals`;
}

function digestOf(query: Sql): Sql {
  return sql`left(md5(coalesce((${query}), '')), 12)`;
}

export function positionText({ entry, posts, users, redeemed }: Position): string {
  return `${entry}.${posts}.${users}.${redeemed}`;
}

/** Null for a text that is no position: then everything may have changed. */
function parsePosition(text: string): Position | null {
  const [, entry, posts = '', users = '', redeemed = ''] =
    /^(\d{1,15})\.([0-9a-f]{12})\.([0-9a-f]{12})\.([0-9a-f]{12})$/.exec(text) ?? [];
  return entry === undefined ? null : { entry: Number(entry), posts, users, redeemed };
}

/** A client reads its data, and opens its stream a moment later. */
const FIRST_READ_SECONDS = 10;

/** Topics that the client with this Last-Event-ID may have missed. */
export async function topicsSince(
  db: Db,
  lastEventId: string | undefined,
  now: Position,
): Promise<EventTopic[]> {
  if (lastEventId === undefined) return recentTopics(db, now);
  const from = parsePosition(lastEventId);
  return from === null ? [...EVENT_TOPICS] : topicsBetween(db, from, now);
}

/** For a client that does not tell where it stands: what administrators changed a moment ago. */
async function recentTopics(db: Db, now: Position): Promise<EventTopic[]> {
  const { entry } = await db.one<{ entry: number }>(sql`
    select coalesce(min(id) - 1, ${now.entry}) as entry from audit_log
    where at > now() - make_interval(secs => ${FIRST_READ_SECONDS})`);
  return topicsBetween(db, { ...now, entry }, now);
}

export async function topicsBetween(db: Db, from: Position, to: Position): Promise<EventTopic[]> {
  const topics = new Set<EventTopic>();
  if (from.posts !== to.posts) topics.add('posts').add('engine');
  if (from.users !== to.users) topics.add('users');
  if (from.redeemed !== to.redeemed) topics.add('tickets');
  const entries = to.entry - from.entry;
  // A log that became shorter is that of another database.
  if (entries < 0 || entries > MAX_ENTRIES) return [...EVENT_TOPICS];
  if (entries > 0) {
    topics.add('audit');
    const rows = await db.many<{ entity: string }>(sql`
      select distinct entity from audit_log where id > ${from.entry} and id <= ${to.entry}`);
    for (const { entity } of rows) {
      for (const topic of nounOfEntry(entity)?.topics ?? []) topics.add(topic);
    }
  }
  return [...topics];
}
