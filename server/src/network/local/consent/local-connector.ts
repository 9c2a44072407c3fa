import { createHash } from 'node:crypto';
import { isDid } from '@meridian/contract/untrusted';
import type { Db } from '../../../db/database.ts';
import { ConnectError } from '../../connector.ts';
import type { Connector } from '../../connector.ts';
import { CONSENT_PATH } from '../timeline/paths.ts';
import { findHandle, findPerson } from './consent.store.ts';
import { isHandle } from './handle.ts';

/** Of every account of the local network. */
const HOST = 'local';

/**
 * Consent without a password, on a page of this server: it only shows that nothing leaves the machine.
 * A handle that is not in use yet becomes a new account.
 */
export function createLocalConnector(db: Db): Connector {
  return {
    async begin(name, state) {
      const handle = isDid(name) ? await findHandle(db, name) : name;
      if (handle === null || !isHandle(handle)) return null;
      return `${CONSENT_PATH}?${new URLSearchParams({ handle, state }).toString()}`;
    },

    async finish(query) {
      if (query.has('error')) throw new ConnectError('refused');
      const handle = query.get('handle') ?? '';
      if (!isHandle(handle)) throw new ConnectError('expired');
      const known = await findPerson(db, handle);
      const person = known ?? { did: didOf(handle), handle, displayName: null, avatar: null };
      return { ...person, host: HOST, state: query.get('state') ?? '' };
    },

    // There are no credentials.
    disconnect: async () => {},
  };
}

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** The same for the same handle, so that a person who comes back is found again. */
function didOf(handle: string): string {
  const digest = createHash('sha256').update(handle).digest().subarray(0, 24);
  return `did:plc:${Array.from(digest, (byte) => BASE32[byte % 32]).join('')}`;
}
