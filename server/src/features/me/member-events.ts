import { ME_TOPIC, meEvents } from '@meridian/contract/events';
import type { FastifyInstance } from 'fastify';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { registerMember } from '../../http/register.ts';
import type { Member } from '../../http/register.ts';
import { changedEvent, serveEvents } from '../events/event-hub.ts';
import type { EventHub, EventStream } from '../events/event-hub.ts';
import { LIVE_MEMBER } from './member-sessions.ts';
import type { MemberSessions } from './member-sessions.ts';

/** The scope has no admission limit: a stream takes no slot of the other calls. */
export function memberEventsRoutes(
  app: FastifyInstance,
  { memberEvents }: { memberEvents: ReturnType<typeof createMemberEvents> },
): void {
  registerMember(app, meEvents, ({ member, ...exchange }) =>
    serveEvents(exchange, (lastEventId) => memberEvents.open(member, lastEventId)),
  );
}

type Options = { db: Database; hub: EventHub; sessions: Pick<MemberSessions, 'isLive'> };

const keyOf = ({ tokenHash }: EventStream) => tokenHash.toString('hex');

export function createMemberEvents({ db, hub, sessions }: Options) {
  const told = new WeakMap<EventStream, string>();

  function say(stream: EventStream, position: string, topics: readonly string[]): void {
    told.set(stream, position);
    stream.send(changedEvent(position, topics));
  }

  async function positionsOf(streams: Iterable<EventStream>): Promise<Map<string, string>> {
    const hashes = [...streams].map(({ tokenHash }) => tokenHash);
    const rows = await readMemberPositions(db, hashes);
    return new Map(rows.map(({ token_hash, position }) => [token_hash, position]));
  }

  const audience = hub.audience({
    maxStreams: 1_000,
    maxStreamsPerOwner: 8,
    tooMany: 'This page is open too many times. Close it somewhere else',
    isLive: (tokenHash) => sessions.isLive(tokenHash),

    async begin(stream, lastEventId) {
      const position = (await positionsOf([stream])).get(keyOf(stream));
      if (position === undefined) throw new AppError('session_ended');
      say(stream, position, lastEventId === position ? [] : [ME_TOPIC]);
    },

    async tell(streams) {
      const positions = await positionsOf(streams);
      for (const stream of streams) {
        const position = positions.get(keyOf(stream));
        const before = told.get(stream);
        if (position === undefined || before === undefined || position === before) continue;
        say(stream, position, [ME_TOPIC]);
      }
    },

    farewell: (stream) => changedEvent(told.get(stream) ?? '', [ME_TOPIC]),
  });

  return {
    open: ({ userId, sessionId }: Member, lastEventId: string | undefined) =>
      audience.open({ ownerId: userId, tokenHash: Buffer.from(sessionId, 'hex') }, lastEventId),
    size: audience.size,
  };
}

/** An edit changes no counter, so the posts that go out next are in the digest themselves. */
const UPCOMING = 100;

/** The digest is the same for every process, also after a restart. */
function readMemberPositions(db: Db, tokenHashes: readonly Buffer[]) {
  return db.many<{ token_hash: string; position: string }>(sql`
    with live as (
      select m.token_hash, u.id, u.version
      from member_sessions m join users u on u.id = m.user_id
      where m.token_hash = any(${tokenHashes}::bytea[]) and ${LIVE_MEMBER}),
    parts as (
      select c.user_id, s.status, s.n
      from user_post_counters c, lateral (values ('PENDING', c.pending), ('PROCESSING', c.processing),
        ('COMPLETED', c.completed), ('FAILED', c.failed), ('CANCELLED', c.cancelled)) as s (status, n)
      where c.user_id in (select id from live)
      union all
      select user_id, status, n from pending_counters
      where noun = 'posts' and user_id in (select id from live)),
    totals as (
      select user_id, string_agg(status || n, ' ' order by status) as posts
      from (select user_id, status, sum(n) as n from parts group by user_id, status) as t
      where n <> 0 group by user_id)
    select encode(l.token_hash, 'hex') as token_hash,
      left(md5(concat_ws('|', s.version, l.version, a.state, a.state_since, free.versions,
        g.n, g.revoked, g.in_force, g.versions, t.posts, next.posts)), 24) as position
    from live l
      cross join service_settings s
      cross join (select sum(version) as versions from plans where tier = 'FREE') as free
      left join accounts a on a.user_id = l.id
      left join totals t on t.user_id = l.id
      cross join lateral (
        select count(*) as n, count(revoked_at) as revoked, sum(p.version) as versions,
          count(*) filter (where coalesce(expires_at > now(), true)) as in_force
        from plan_assignments join plans p on p.id = plan_id where user_id = l.id) as g
      cross join lateral (
        select sum(version) || ' ' || count(hold) as posts from (
          select version, hold from posts where user_id = l.id and scheduled_at > now()
          order by scheduled_at, id limit ${UPCOMING}) as soonest) as next`);
}
