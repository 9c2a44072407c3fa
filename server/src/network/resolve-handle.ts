import { isDid, propertyOf } from '@meridian/contract/untrusted';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import { FetchRefused, guardedFetch, PUBLIC_NETWORK } from '../http/guarded-fetch.ts';
import type { OutsideNetwork } from '../http/guarded-fetch.ts';
import { jsonOf } from '../http/json-text.ts';
import { readResponse } from '../http/read-response.ts';

/** The DID behind a handle, as seen by a person's account; null when it is not found in time. */
export type ResolveFor = (userId: string, handle: string) => Promise<string | null>;

const TIMEOUT_MS = 3_000;
const RESPONSE_MAX_BYTES = 10_000;

/** On the local network everyone is a user of this service. */
export function resolveAmongUsers(db: Db): ResolveFor {
  return async (_, handle) => {
    const row = await db.maybeOne<{ did: string }>(sql`
      select did from users where lower(handle) = ${handle} order by is_active desc, id limit 1`);
    return row?.did ?? null;
  };
}

/** On the live network the host of the person's account knows, or asks the directory. */
export function resolveByHost(db: Db, network: OutsideNetwork = PUBLIC_NETWORK): ResolveFor {
  return async (userId, handle) => {
    const account = await db.maybeOne<{ host: string }>(sql`
      select host from accounts where user_id = ${userId}`);
    if (account === null) return null;
    const path = `/xrpc/com.atproto.identity.resolveHandle?handle=${encodeURIComponent(handle)}`;
    const address = URL.parse(path, account.host)?.href ?? '';
    const did = propertyOf(await readJson(address, network), 'did');
    return isDid(did) ? did : null;
  };
}

async function readJson(address: string, network: OutsideNetwork): Promise<unknown> {
  const options = {
    network,
    signal: AbortSignal.timeout(TIMEOUT_MS),
    accept: 'application/json',
    maxBytes: RESPONSE_MAX_BYTES,
  };
  try {
    return await guardedFetch(address, options, async ({ body }) =>
      jsonOf((await readResponse(body, RESPONSE_MAX_BYTES)).toString()),
    );
  } catch (error) {
    // A mention that cannot be resolved stays text: no reason to refuse the post.
    if (error instanceof FetchRefused) return null;
    throw error;
  }
}
