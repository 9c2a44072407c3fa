import {
  MEMBER_HEADER,
  RIGHT_NAMES,
  apiTokenCreate,
  meTokenCreate,
} from '@meridian/contract/api-tokens';
import type { Endpoint } from '@meridian/contract/endpoint';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { meSignIn, meSignInResult } from '@meridian/contract/me/account';
import { ME_ENDPOINTS } from '@meridian/contract/me/endpoints';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { aimAtRows } from '../../../test/every-call.ts';
import type { Aim } from '../../../test/every-call.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { signInMember } from '../../../test/members.ts';

const DID = 'did:plc:thenamedmemberofthetests23';
const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
/** Every call that a token could make, or must not make; a sign-in of the page needs none. */
const CALLS: readonly Endpoint[] = [...ENDPOINTS, ...ME_ENDPOINTS].filter(
  ({ credential, right }) => credential !== 'none' || right !== null,
);
/** Their handlers look at the token, after the input. */
const BODIES: Readonly<Record<string, object>> = {
  [meSignIn.name]: { handle: 'a.test', returnTo: 'https://app.example/' },
  [meSignInResult.name]: { signInId: 'a', code: 'b' },
};
const namesOf = (isMeant: (call: Endpoint) => boolean) =>
  CALLS.filter(isMeant).map(({ name }) => name);

describe.each(EITHER)('a token may do nothing beyond its rights on %s', (engine) => {
  const api = setUpApp(engine, { env: { NETWORK: 'local' } });
  let admin: SignedIn;
  let aim: Aim;
  let userId: string;
  beforeAll(async () => {
    admin = await api.signIn();
    aim = await aimAtRows(api.db);
    userId = await insertUser(api.db, { did: DID });
  });

  /** The calls that this token may make, of all that there are. */
  async function passedBy(token: string, headers: Record<string, string> = {}) {
    const passed: string[] = [];
    for (const call of CALLS) {
      const { statusCode } = await api.app.inject({
        method: call.method,
        url: call.path.startsWith('/api/me') ? call.path.replace('{id}', 'x') : aim(call),
        headers: { authorization: `Bearer ${token}`, ...headers },
        ...(call.method !== 'GET' && { payload: BODIES[call.name] ?? {} }),
      });
      if (statusCode === 401) throw new Error(`${call.name} does not know the token`);
      if (statusCode !== 403) passed.push(call.name);
    }
    return passed;
  }

  test.each(RIGHT_NAMES)('%s', async (right) => {
    const body = { name: 'nightly', rights: [right], expiresAt };
    const { token } = (await api.call(apiTokenCreate, { token: admin.token, body })).answer;
    expect(await passedBy(token, { [MEMBER_HEADER]: DID })).toEqual(
      namesOf((call) => call.right === right || call.right === 'any'),
    );
  });

  test('of a member', async () => {
    const headers = await signInMember(api, userId);
    const body = { name: 'my script', expiresAt };
    const { token } = (await api.call(meTokenCreate, { headers, body })).answer;
    expect(await passedBy(token)).toEqual(
      namesOf((call) => call.right === 'members' && call.credential === 'cookie'),
    );
  });
});

test('reading calls have rights to read, and all others do not', () => {
  const wrong = CALLS.filter(({ method, right }) =>
    method === 'GET' ? right?.endsWith(':write') : right?.endsWith(':read'),
  );
  expect(wrong.map(({ name, right }) => `${name}: ${right}`)).toEqual([]);
});
