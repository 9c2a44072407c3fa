import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { LIVE_MEMBER } from './member-sessions.store.ts';

/** Of the posts that go out next an edit is seen too, which changes no counter. */
const UPCOMING = 100;

export type MemberPosition = {
  /** In hexadecimal. */
  token_hash: string;
  position: string;
};

/**
 * For each live session a digest of what its person sees: the state of the service, the person, the
 * account, plans and posts. The same for every process, also after a restart.
 */
export async function readMemberPositions(
  db: Db,
  tokenHashes: readonly Buffer[],
): Promise<MemberPosition[]> {
  return db.many<MemberPosition>(sql`
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
