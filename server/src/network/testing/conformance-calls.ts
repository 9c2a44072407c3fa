import { cidOfRecord, newRkey } from '../identity.ts';
import type { Case, TestHost } from './conformance-types.ts';
import { AUTH_MISSING, call, CREATED, post, put, REFUSED } from './conformance-requests.ts';

const first = post('First');
const rkey = newRkey();
const rawPut = (text: string, type = 'application/json') =>
  call('com.atproto.repo.putRecord', () => ({ bytes: new TextEncoder().encode(text), type }));

/** Sessions and bodies: what is refused before a record is looked at. */
export const CALL_CASES: Case[] = [
  {
    name: 'putRecord without a session',
    request: put(rkey, first, null, {}, { token: null }),
    expected: AUTH_MISSING,
  },
  {
    name: 'putRecord with a token of nothing',
    request: put(rkey, first, null, {}, { token: 'aaaa.bbbb.cccc' }),
    expected: { status: 400, error: 'InvalidToken' },
  },
  {
    name: 'putRecord to the repository of another account',
    request: (host: TestHost) => put(rkey, first, null, { repo: host.other.did })(host),
    expected: { status: 401, error: 'AuthenticationRequired' },
  },
  {
    name: 'putRecord to an unknown repository',
    request: put(rkey, first, null, { repo: 'did:plc:zzzzzzzzzzzzzzzzzzzzzzzz' }),
    expected: { status: 403, error: 'AccountNotFound' },
  },
  {
    name: 'createSession with a wrong password',
    request: call('com.atproto.server.createSession', ({ account }) => ({
      json: { identifier: account.did, password: 'wrong' },
      token: null,
    })),
    expected: { status: 401, error: 'AuthenticationRequired' },
  },
  {
    name: 'a body that is no JSON',
    request: rawPut('{"repo":'),
    expected: { status: 400, error: 'SyntaxError' },
  },
  { name: 'a body that is no object', request: rawPut('[]'), expected: REFUSED },
  { name: 'a body of another type', request: rawPut('{}', 'text/plain'), expected: REFUSED },
  { name: 'an empty object', request: rawPut('{}'), expected: REFUSED },
  {
    name: 'a record of more than 1 MB',
    request: put(rkey, post('Large', { filler: 'x'.repeat(1_000_000) }), null),
    expected: { status: 413, error: 'PayloadTooLargeError' },
  },
  {
    name: 'the key stayed free',
    request: put(rkey, first, null),
    expected: { ...CREATED, cid: cidOfRecord(first) },
  },
];
