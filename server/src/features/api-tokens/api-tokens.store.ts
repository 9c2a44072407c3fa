import { TOKEN_DAYS_MAX } from '@meridian/contract/api-tokens';
import type { Right } from '@meridian/contract/endpoint';
import { entryOf } from '../../audit/audit.store.ts';
import type { AuditContext } from '../../audit/audit.store.ts';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';

export type Owner = { adminId: string } | { userId: string };
/** Those of one owner, or of all administrators. */
export type Whose = Owner | 'administrators';
export type NewToken = {
  id: string;
  tokenHash: Buffer;
  name: string;
  rights: readonly Right[];
  origins: readonly string[];
  expiresAt: string;
};

export type LiveToken = {
  /** In hexadecimal; of the token that was sent. */
  token_hash: string;
  id: string;
  name: string;
  rights: Right[];
  origins: string[];
  is_stale: boolean;
  /** The owner, if an administrator. */
  admin_id: string | null;
  username: string | null;
  display_name: string | null;
  /** The owner, if a member. */
  user_id: string | null;
};

const LIVE = sql`t.revoked_at is null and t.expires_at > now()`;
/** For the audit log. */
const STATE = sql`jsonb_build_object(
  'name', t.name, 'rights', to_jsonb(t.rights), 'origins', to_jsonb(t.origins), 'expiresAt', t.expires_at,
  'isRevoked', t.revoked_at is not null)`;

function isOf(whose: Whose): Sql {
  if (whose === 'administrators') return sql`t.admin_id is not null`;
  return 'adminId' in whose ? sql`t.admin_id = ${whose.adminId}` : sql`t.user_id = ${whose.userId}`;
}

/** As the contract shows a token: a member's has neither owner nor rights of its own. */
function selectOf(whose: Whose): Sql {
  const ofAdministrators = sql`, t.rights, t.origins,
    (select username from admins a where a.id = t.admin_id) as owner`;
  return sql`
    select t.id, t.name, t.created_at as "createdAt", t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt"
      ${whose === 'administrators' ? ofAdministrators : sql``}
    from api_tokens t where ${isOf(whose)}`;
}

/** The live tokens with these hashes, whose owner may use the service. Nothing is cached: what ends is refused at once. */
export async function findLiveTokens(db: Db, hashes: readonly Buffer[]): Promise<LiveToken[]> {
  return db.many<LiveToken>(sql`
    select encode(sent.hash, 'hex') as token_hash, t.id, t.name, t.rights, t.origins,
      coalesce(t.last_used_at < now() - interval '1 minute', true) as is_stale,
      t.admin_id, a.username, a.display_name, t.user_id
    from unnest(${hashes}::bytea[]) as sent (hash)
      join api_tokens t on t.token_hash = sent.hash
        or (t.previous_hash = sent.hash and t.previous_ends > now())
      left join admins a on a.id = t.admin_id
      left join users u on u.id = t.user_id
    where ${LIVE} and a.disabled_at is null and u.is_active is not false
      and u.status is distinct from 'BLOCKED'`);
}

export async function touchToken(db: Db, id: string): Promise<void> {
  await db.execute(sql`update api_tokens set last_used_at = now() where id = ${id}`);
}

export function listTokens<Token extends object>(db: Db, whose: Whose): Promise<Token[]> {
  return db.many<Token>(sql`${selectOf(whose)} and ${LIVE} order by t.created_at desc, t.id desc`);
}

export function findToken<Token extends object>(
  db: Db,
  whose: Whose,
  id: string,
): Promise<Token | null> {
  return db.maybeOne<Token>(sql`${selectOf(whose)} and t.id = ${id}`);
}

/** Locks the owner, so that two tokens at once count each other. */
export async function countTokens(tx: Db, owner: Owner): Promise<number> {
  const lock =
    'adminId' in owner
      ? sql`select from admins where id = ${owner.adminId} for no key update`
      : sql`select from users where id = ${owner.userId} for no key update`;
  await tx.execute(lock);
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*) from api_tokens t where ${isOf(owner)} and ${LIVE}`);
  return count;
}

/** False when it would have expired already, or live too long. */
export async function insertToken(
  tx: Db,
  owner: Owner,
  token: NewToken,
  audit: AuditContext,
): Promise<boolean> {
  const { adminId, userId } = { adminId: null, userId: null, ...owner };
  const logged = await tx.execute(sql`
    with changed as (
      insert into api_tokens as t (id, admin_id, user_id, token_hash, name, rights, origins, expires_at)
      select ${token.id}::uuid, ${adminId}::uuid, ${userId}::uuid, ${token.tokenHash}::bytea, ${token.name},
        ${token.rights}::text[], ${token.origins}::text[], new.expires_at
      from (select ${token.expiresAt}::timestamptz as expires_at) new
      where new.expires_at > now() and new.expires_at <= now() + ${TOKEN_DAYS_MAX} * interval '24 hours'
      returning t.id, null::jsonb as was, ${STATE} as became)
    ${entryOf(audit)}`);
  return logged > 0;
}

/** False when they have no such live token. */
export async function rotateToken(
  db: Db,
  whose: Whose,
  { id, tokenHash, graceMinutes }: { id: string; tokenHash: Buffer; graceMinutes: number },
  audit: AuditContext,
): Promise<boolean> {
  const logged = await db.execute(sql`
    with changed as (
      update api_tokens t set token_hash = ${tokenHash}, previous_hash = t.token_hash,
        previous_ends = now() + make_interval(mins => ${graceMinutes}::integer)
      where t.id = ${id} and ${isOf(whose)} and ${LIVE}
      returning t.id, null::jsonb as was, jsonb_build_object('name', t.name, 'previousEnds', t.previous_ends) as became)
    ${entryOf(audit)}`);
  return logged > 0;
}

/** The same. */
export async function revokeToken(
  db: Db,
  whose: Whose,
  id: string,
  audit: AuditContext,
): Promise<boolean> {
  const logged = await db.execute(sql`
    with changed as (
      update api_tokens t set revoked_at = now()
      where t.id = ${id} and ${isOf(whose)} and ${LIVE}
      returning t.id, jsonb_build_object('isRevoked', false) as was, jsonb_build_object('isRevoked', true) as became)
    ${entryOf(audit)}`);
  return logged > 0;
}
