import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { INVALID_HANDLE } from '../../network/network.ts';
import type { ConnectedAccount } from '../../network/network.ts';

export const SIGN_IN_SECONDS = 10 * 60;

/** A sign-in that a service began with its token. */
export type ForService = { tokenId: string; returnTo: string };
type SignIn = { keywordId: string | null; service: ForService | null };
/** Null: the browser went there at once. */
type Begun = SignIn & { stateHash: Buffer; consentAddress: string | null };

const EXPIRY = sql`now() + make_interval(secs => ${sql.whole(SIGN_IN_SECONDS)})`;

export async function insertSignIn(
  db: Db,
  { stateHash, keywordId, service, consentAddress }: Begun,
): Promise<void> {
  await db.execute(sql`
    insert into member_sign_ins (state_hash, keyword_id, token_id, return_to, consent_address, expires_at)
    values (${stateHash}, ${keywordId}, ${service?.tokenId ?? null}, ${service?.returnTo ?? null},
            ${consentAddress}, ${EXPIRY})`);
}

export async function findConsentAddress(db: Db, stateHash: Buffer): Promise<string | null> {
  const row = await db.maybeOne<{ address: string | null }>(sql`
    select consent_address as address from member_sign_ins
    where state_hash = ${stateHash} and expires_at > now()`);
  return row?.address ?? null;
}

/** For the service to ask who came back. */
export async function insertResult(
  tx: Db,
  { codeHash, tokenId, userId }: { codeHash: Buffer; tokenId: string; userId: string },
): Promise<void> {
  await tx.execute(sql`
    insert into member_sign_ins (state_hash, token_id, user_id, expires_at)
    values (${codeHash}, ${tokenId}, ${userId}, ${EXPIRY})`);
}

/** Each can be taken once, by the token that began the sign-in. */
export async function takeResult(
  db: Db,
  codeHash: Buffer,
  tokenId: string,
): Promise<{ did: string; handle: string } | null> {
  return db.maybeOne(sql`
    with taken as (
      delete from member_sign_ins where state_hash = ${codeHash} and token_id = ${tokenId}
        and user_id is not null and expires_at > now() returning user_id)
    select u.did, u.handle from taken join users u on u.id = taken.user_id`);
}

/** Each can be taken once; null when it was taken before, or is too old. */
export async function takeSignIn(db: Db, stateHash: Buffer): Promise<SignIn | null> {
  return db.maybeOne<SignIn>(sql`
    with taken as (
      delete from member_sign_ins where state_hash = ${stateHash} and user_id is null
      returning keyword_id, token_id, return_to, expires_at)
    select keyword_id as "keywordId",
      case when token_id is not null then json_build_object('tokenId', token_id, 'returnTo', return_to) end as service
    from taken where expires_at > now()`);
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
