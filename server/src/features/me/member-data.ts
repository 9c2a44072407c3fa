import type { BodyOf } from '@meridian/contract/endpoint';
import type { meDelete } from '@meridian/contract/me/account';
import { recordEvent } from '../../audit/audit.store.ts';
import { nameInSql } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { createLimitPerMember } from '../../http/limits.ts';
import type { Member } from '../../http/register.ts';
import { createSnapshotStream } from '../../http/stream.ts';
import type { TextSink } from '../../http/stream.ts';
import type { Connector } from '../../network/network.ts';

/** A client that reads slowly holds its slot for minutes; two slots are all there are. */
const PER_MEMBER = { atOnce: 1, queue: 1, waitMs: 5_000 };

export function createMemberExport(db: Database) {
  const writeFromSnapshot = createSnapshotStream(db, { queue: 8 });
  const runForMember = createLimitPerMember(PER_MEMBER);
  return {
    write: (userId: string, sink: TextSink): Promise<void> =>
      runForMember(userId, () =>
        writeFromSnapshot(sink, (tx, push) => writeParts(tx, userId, push)),
      ),
  };
}

const ROWS = sql.whole(500);
/** A thread with described pictures is up to 2 MB, so 500 posts would be a gigabyte. */
const POSTS = sql.whole(10);

async function writeParts(tx: Db, userId: string, push: TextSink['push']): Promise<void> {
  await push(`{"exportedAt":${JSON.stringify(new Date())}`);
  for (const [name, query] of Object.entries(exported(userId))) {
    // A prepared FETCH belongs to the columns of its cursor, so each part has a cursor of its own.
    const cursor = nameInSql(`exported_own_${name}`);
    const batch = name === 'posts' ? POSTS : ROWS;
    await tx.execute(sql`declare ${cursor} no scroll cursor for ${query}`);
    await push(`,\n${JSON.stringify(name)}:[`);
    for (let separator = ''; ; separator = ',\n') {
      const rows = await tx.many<object>(sql`fetch ${batch} from ${cursor}`);
      if (rows.length === 0) break;
      await push(separator + rows.map((row) => JSON.stringify(row)).join(',\n'));
    }
    await push(']');
  }
}

const exported = (userId: string): Readonly<Record<string, Sql>> => ({
  users: sql`
    select id, did, handle, display_name as "displayName", avatar, status,
      is_active as "isActive", has_access_keyword_access as "hasAccessKeyword",
      upgrade_prohibited as "isUpgradeProhibited", created_at as "createdAt"
    from users where id = ${userId}`,
  accounts: sql`select host, state, state_since as since from accounts where user_id = ${userId}`,
  sessions: sql`
    select created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
    from member_sessions where user_id = ${userId} order by created_at`,
  tokens: sql`
    select name, created_at as "createdAt", last_used_at as "lastUsedAt",
      expires_at as "expiresAt", revoked_at as "revokedAt"
    from api_tokens where user_id = ${userId} order by created_at`,
  plans: sql`
    select p.name, p.tier, t.code as "ticketCode", assignment_status(a.status, a.expires_at) as status,
      a.activated_at as "activatedAt", a.expires_at as "expiresAt", a.revoked_at as "revokedAt"
    from plan_assignments a join plans p on p.id = a.plan_id left join tickets t on t.id = a.ticket_id
    where a.user_id = ${userId} order by a.created_at`,
  posts: sql`
    select p.id, p.content, p.facets, p.embed, p.languages, p.reply_to as "replyTo", p.thread,
      p.status, p.scheduled_at as "scheduledAt", p.created_at as "createdAt",
      p.updated_at as "updatedAt", p.executed_at as "publishedAt", p.at_uri as "atUri",
      p.error_msg as error, d.host, d.writes as "sentRecords"
    from posts p left join deliveries d on d.post_id = p.id
    where p.user_id = ${userId} order by p.scheduled_at, p.id`,
  pictures: sql`
    select id, object_key as key, mime_type as "mimeType", width, height, bytes,
      created_at as "createdAt"
    from media where user_id = ${userId} order by created_at, id`,
});

export function createMemberDeletion(db: Database, connector: Connector | null) {
  return {
    async delete(
      { userId, did }: Member,
      { handle, isSure }: BodyOf<typeof meDelete>,
      requestId: string,
    ): Promise<void> {
      if (!isSure) throw invalidField('isSure', 'Confirm that all your data shall be deleted');
      await db.transaction(async (tx) => {
        const own = await lockHandle(tx, userId);
        if (own === null) throw new AppError('session_ended');
        const isSame = own.toLowerCase() === handle.replace(/^@/, '').toLowerCase();
        if (!isSame) throw invalidField('handle', 'This is not your handle');
        if (await deletePosts(tx, userId)) throw new AppError('still_publishing');
        await deletePerson(tx, userId);
        // The audit log is never deleted, so it names neither the member nor the network.
        const by = { adminId: null, username: 'person', requestId, network: null };
        await recordEvent(tx, { by, action: 'meDelete' }, userId);
      });
      await connector?.disconnect(did);
    },
  };
}

const BATCH = sql.whole(1_000);

/** From here until the commit nothing can be scheduled for the member. */
export async function lockHandle(tx: Db, userId: string): Promise<string | null> {
  const row = await tx.maybeOne<{ handle: string }>(
    sql`select handle from users where id = ${userId} for update`,
  );
  return row?.handle ?? null;
}

export async function deletePosts(tx: Db, userId: string): Promise<boolean> {
  for (;;) {
    const { deleted } = await tx.one<{ deleted: number }>(sql`
      with gone as (
        delete from posts where status <> 'PROCESSING' and id in (
          select id from posts where user_id = ${userId} and status <> 'PROCESSING' limit ${BATCH})
        returning id),
      journal as (delete from deliveries where post_id in (select id from gone))
      select count(*)::integer as deleted from gone`);
    if (deleted === 0) break;
  }
  const { found } = await tx.one<{ found: boolean }>(
    sql`select exists (select from posts where user_id = ${userId}) as found`,
  );
  return found;
}

export async function deletePerson(tx: Db, userId: string): Promise<void> {
  await tx.execute(sql`delete from idempotency_keys where admin_id = ${userId}`);
  await tx.execute(sql`delete from catch_up where user_id = ${userId}`);
  await tx.execute(
    sql`delete from deliveries where user_id = ${userId} and deleted_at is not null`,
  );
  await tx.execute(sql`delete from users where id = ${userId}`);
}
