import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

const ROWS = sql.whole(500);
/** A thread with described pictures is up to 2 MB, so 500 posts would be a gigabyte. */
const POSTS = sql.whole(10);

/** A prepared FETCH belongs to the columns of its cursor, so each part has a cursor of its own. */
export type ExportPart = { name: string; cursor: Sql; query: Sql; batch: Sql };

/** By their names in the file. */
export function exportParts(userId: string): readonly ExportPart[] {
  return [
    {
      name: 'users',
      cursor: sql`exported_person`,
      batch: ROWS,
      query: sql`select id, did, handle, display_name as "displayName", avatar, status,
            is_active as "isActive", has_access_keyword_access as "hasAccessKeyword",
            upgrade_prohibited as "isUpgradeProhibited", created_at as "createdAt"
          from users where id = ${userId}`,
    },
    {
      name: 'accounts',
      cursor: sql`exported_account`,
      batch: ROWS,
      query: sql`select host, state, state_since as since from accounts where user_id = ${userId}`,
    },
    {
      name: 'sessions',
      cursor: sql`exported_sessions`,
      batch: ROWS,
      query: sql`select created_at as "createdAt", last_seen_at as "lastSeenAt", expires_at as "expiresAt"
          from member_sessions where user_id = ${userId} order by created_at`,
    },
    {
      name: 'tokens',
      cursor: sql`exported_tokens`,
      batch: ROWS,
      query: sql`select name, created_at as "createdAt", last_used_at as "lastUsedAt",
            expires_at as "expiresAt", revoked_at as "revokedAt"
          from api_tokens where user_id = ${userId} order by created_at`,
    },
    {
      name: 'plans',
      cursor: sql`exported_assignments`,
      batch: ROWS,
      query: sql`select p.name, p.tier, t.code as "ticketCode", assignment_status(a.status, a.expires_at) as status,
            a.activated_at as "activatedAt", a.expires_at as "expiresAt", a.revoked_at as "revokedAt"
          from plan_assignments a join plans p on p.id = a.plan_id left join tickets t on t.id = a.ticket_id
          where a.user_id = ${userId} order by a.created_at`,
    },
    {
      name: 'posts',
      cursor: sql`exported_own_posts`,
      batch: POSTS,
      query: sql`select p.id, p.content, p.facets, p.embed, p.languages, p.reply_to as "replyTo", p.thread,
            p.status, p.scheduled_at as "scheduledAt", p.created_at as "createdAt",
            p.updated_at as "updatedAt", p.executed_at as "publishedAt", p.at_uri as "atUri",
            p.error_msg as error, d.host, d.writes as "sentRecords"
          from posts p left join deliveries d on d.post_id = p.id
          where p.user_id = ${userId} order by p.scheduled_at, p.id`,
    },
    {
      name: 'pictures',
      cursor: sql`exported_pictures`,
      batch: ROWS,
      query: sql`select id, object_key as key, mime_type as "mimeType", width, height, bytes,
            created_at as "createdAt"
          from media where user_id = ${userId} order by created_at, id`,
    },
  ];
}

/** A batch at a time, within a transaction. */
export async function* rowsOf(
  tx: Db,
  { cursor, query, batch }: ExportPart,
): AsyncGenerator<object[]> {
  await tx.execute(sql`declare ${cursor} no scroll cursor for ${query}`);
  for (;;) {
    const rows = await tx.many<object>(sql`fetch ${batch} from ${cursor}`);
    if (rows.length === 0) return;
    yield rows;
  }
}
