import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { INVALID_HANDLE } from '../../network/connector.ts';
import type { ConnectedAccount } from '../../network/connector.ts';

export const SIGN_IN_SECONDS = 10 * 60;

export async function insertSignIn(
  db: Db,
  signIn: { stateHash: Buffer; keywordId: string | null },
): Promise<void> {
  await db.execute(sql`
    insert into member_sign_ins (state_hash, keyword_id, expires_at)
    values (${signIn.stateHash}, ${signIn.keywordId},
            now() + make_interval(secs => ${sql.whole(SIGN_IN_SECONDS)}))`);
}

/** Each can be taken once; null when it was taken before, or is too old. */
export async function takeSignIn(
  db: Db,
  stateHash: Buffer,
): Promise<{ keywordId: string | null } | null> {
  return db.maybeOne(sql`
    with taken as (
      delete from member_sign_ins where state_hash = ${stateHash} returning keyword_id, expires_at)
    select keyword_id as "keywordId" from taken where expires_at > now()`);
}

export type Door = { isSuspended: boolean; isClosedBeta: boolean };

/** The share lock makes a switch of the settings wait until the sign-in is decided. */
export async function lockDoor(tx: Db): Promise<Door> {
  return tx.one<Door>(sql`
    select is_service_suspended as "isSuspended", is_closed_beta as "isClosedBeta"
    from service_settings for share`);
}

export type KnownPerson = { isBlocked: boolean; isNewcomer: boolean; hasKeyword: boolean };

export async function lockPerson(tx: Db, did: string): Promise<KnownPerson | null> {
  return tx.maybeOne<KnownPerson>(sql`
    select not u.is_active or u.status = 'BLOCKED' as "isBlocked",
      coalesce(u.created_at >= s.closed_beta_at, s.is_closed_beta) as "isNewcomer",
      u.has_access_keyword_access as "hasKeyword"
    from users u cross join service_settings s where u.did = ${did} for no key update of u`);
}

/** What the network does not say of a person who is here already stays as it is. Returns the id. */
export async function upsertPerson(
  tx: Db,
  person: Pick<ConnectedAccount, 'did' | 'handle' | 'displayName' | 'avatar'>,
  hasUsedKeyword: boolean,
): Promise<string> {
  const { did, handle, displayName, avatar } = person;
  const { id } = await tx.one<{ id: string }>(sql`
    insert into users as u (id, did, handle, display_name, avatar, has_access_keyword_access)
    values (new_row_id(), ${did}, ${handle}, ${displayName}, ${avatar}, ${hasUsedKeyword})
    on conflict (did) do update set
      handle = case when excluded.handle = ${INVALID_HANDLE} then u.handle else excluded.handle end,
      display_name = coalesce(excluded.display_name, u.display_name),
      avatar = coalesce(excluded.avatar, u.avatar),
      has_access_keyword_access = u.has_access_keyword_access or excluded.has_access_keyword_access
    returning id`);
  return id;
}
