import { NETWORK_IMAGE_HOST } from '@meridian/contract/network';
import { propertyOf } from '@meridian/contract/untrusted';
import { getRecord } from '../pds.ts';
import { jsonObject } from '../pds-response.ts';
import { NoResponse } from '../transport.ts';
import type { Transport } from '../transport.ts';

export type Profile = { displayName: string | null; avatar: string | null };

const COLLECTION = 'app.bsky.actor.profile';
const NAME_MAX_LENGTH = 640;
const CID = /^b[a-z2-7]{50,80}$/u;

/** The public profile as the account's host has it. Without one, both are null. */
export async function readProfile(
  transport: Transport,
  host: string,
  did: string,
): Promise<Profile> {
  const record = { repo: did, collection: COLLECTION, rkey: 'self' };
  const response = await getRecord(transport, host, record).catch((error: unknown) => {
    if (error instanceof NoResponse) return null;
    throw error;
  });
  const value = response?.status === 200 ? propertyOf(jsonObject(response.text), 'value') : null;
  const name = propertyOf(value, 'displayName');
  const avatar = propertyOf(propertyOf(propertyOf(value, 'avatar'), 'ref'), '$link');
  return {
    displayName:
      typeof name === 'string' && name.trim() !== '' ? name.slice(0, NAME_MAX_LENGTH) : null,
    avatar:
      typeof avatar === 'string' && CID.test(avatar)
        ? `https://${NETWORK_IMAGE_HOST}/img/avatar/plain/${did}/${avatar}`
        : null,
  };
}
