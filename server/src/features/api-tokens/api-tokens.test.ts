import {
  apiTokenCreate,
  apiTokenList,
  apiTokenRevoke,
  apiTokenRotate,
  MEMBER_HEADER,
  MEMBER_TOKENS_MAX,
  meTokenCreate,
  meTokenList,
  meTokenRevoke,
  TOKEN_DAYS_MAX,
} from '@meridian/contract/api-tokens';
import { auditList } from '@meridian/contract/audit';
import { authMe } from '@meridian/contract/auth';
import { meGet, meSignIn, meSignInResult } from '@meridian/contract/me/account';
import { mePostCreate } from '@meridian/contract/me/posts';
import { REASON_HEADER } from '@meridian/contract/requests';
import type { Right } from '@meridian/contract/endpoint';
import { userList, userUpdate } from '@meridian/contract/users';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import type { SignedIn } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { createBrowser, signInMember } from '../../../test/members.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { tableContents } from '../../../test/table-contents.ts';
import { sql } from '../../db/sql.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
const IN_A_YEAR = inDays(365);
const BAD_EXPIRY = `Expiry must be in the future, at most ${TOKEN_DAYS_MAX} days from now`;
const as = (named: string) => ({ [MEMBER_HEADER]: named });
const post = { content: 'For a member', scheduledAt: IN_A_YEAR };
const body = { name: 'my script', expiresAt: IN_A_YEAR };
const TOKEN = /^mer_[\w-]{43}$/;

describe.each(EITHER)('API tokens on %s', (engine) => {
  const api = setUpApp(engine, { env: { NETWORK: 'local' } });
  let admin: SignedIn;
  let userId: string;
  const did = 'did:plc:theownmemberofthetests234';
  beforeAll(async () => {
    admin = await api.signIn('mira');
    userId = await insertUser(api.db, { did, handle: 'member.test' });
  });

  const create = (rights: readonly string[], more: object = {}) =>
    api.call(apiTokenCreate, {
      token: admin.token,
      body: { name: 'nightly', rights, expiresAt: IN_A_YEAR, ...more },
    });
  const tokenOf = async (rights: readonly Right[], more: object = {}) =>
    (await create(rights, more)).answer;
  const listUsers = (token: string) => api.call(userList, { token });

  test('one makes the calls of its rights, until it is revoked', async () => {
    const { token, apiToken } = await tokenOf(['users:read']);
    expect(token).toMatch(TOKEN);
    expect((await listUsers(token)).answer.users).toHaveLength(1);
    expect((await api.call(authMe, { token })).answer.username).toBe('mira (token nightly)');
    const { answer } = await api.call(apiTokenList, { token: admin.token });
    expect(answer.apiTokens.find(({ id }) => id === apiToken.id)).toEqual({
      ...apiToken,
      owner: 'mira',
      rights: ['users:read'],
      lastUsedAt: expect.any(String),
    });
    const params = { id: apiToken.id };
    await api.call(apiTokenRevoke, { token: admin.token, params });
    expect(refusal(await listUsers(token))).toEqual(catalogued('token_ended'));
    expect(refusal(await api.call(apiTokenRevoke, { token: admin.token, params }))).toEqual(
      catalogued('api_token_not_found'),
    );
  });

  test('is stored as a hash, and told nowhere', async () => {
    const { token } = await tokenOf(['users:read']);
    await listUsers(token);
    expect(await tableContents(api.db)).not.toContain(token.slice(4));
    expect(api.logged.join('')).not.toContain(token.slice(4));
  });

  test('stops when it expires, and with its owner, but not with a password', async () => {
    const other = await api.signIn();
    const body = { name: 'of another', rights: ['users:read'], expiresAt: IN_A_YEAR };
    const { token, apiToken } = (await api.call(apiTokenCreate, { token: other.token, body }))
      .answer;
    const after = async (change: ReturnType<typeof sql>) => {
      await api.db.execute(change);
      return (await listUsers(token)).status;
    };
    const owner = sql`where id = ${other.adminId}`;
    expect(await after(sql`update admins set session_epoch = session_epoch + 1 ${owner}`)).toBe(
      200,
    );
    expect(await after(sql`update admins set disabled_at = now() ${owner}`)).toBe(401);
    expect(await after(sql`update admins set disabled_at = null ${owner}`)).toBe(200);
    const ends = sql`update api_tokens set expires_at = now() where id = ${apiToken.id}`;
    expect(await after(ends)).toBe(401);
  });

  test('goes on beside its replacement for the time given', async () => {
    const { token, apiToken } = await tokenOf(['users:read']);
    const rotate = (graceMinutes: number) =>
      api.call(apiTokenRotate, {
        token: admin.token,
        params: { id: apiToken.id },
        body: { graceMinutes },
      });
    const second = (await rotate(5)).answer.token;
    const third = (await rotate(5)).answer.token;
    const statuses = async () =>
      Promise.all([token, second, third].map(async (one) => (await listUsers(one)).status));
    expect(await statuses()).toEqual([401, 200, 200]);
    const other = await api.signIn();
    const call = { token: other.token, params: { id: apiToken.id } };
    expect((await api.call(apiTokenRotate, { ...call, body: {} })).status).toBe(404);
    await rotate(0);
    expect(await statuses()).toEqual([401, 401, 401]);
  });

  test.each([
    [{ rights: [] }, 'rights', 'Choose a right'],
    [{ rights: ['tokens:write'] }, 'rights', expect.any(String)],
    [{ expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt', BAD_EXPIRY],
    [{ expiresAt: inDays(TOKEN_DAYS_MAX + 1) }, 'expiresAt', BAD_EXPIRY],
    [{ origins: ['https://a.example/path'] }, 'origins', expect.stringMatching(/is no origin/)],
    [{ origins: ['ftp://a.example'] }, 'origins', expect.stringMatching(/is no origin/)],
    [
      { origins: ['http://a.example'] },
      'origins',
      'http://a.example needs https; http is for localhost alone',
    ],
    [{ name: '' }, 'name', 'Name is required'],
  ])('is refused with %j', async (fields, path, message) => {
    const { error } = await create(['users:read'], fields);
    expect(error.code).toBe('invalid_input');
    expect(error.issues?.[0]).toEqual({ path: expect.stringMatching(path), message });
  });

  test('says which right it lacks, and what only a session can do', async () => {
    const { token } = await tokenOf(['users:read']);
    const params = { id: userId };
    expect(
      refusal(await api.call(userUpdate, { token, params, body: { isActive: false } })),
    ).toEqual(catalogued('right_missing', 'This API token lacks the right users:write'));
    expect(refusal(await api.call(apiTokenList, { token }))).toEqual(
      catalogued('session_required'),
    );
  });

  test('is an actor of its own in the audit log', async () => {
    const { token } = await tokenOf(['users:write']);
    const params = { id: userId };
    await api.call(userUpdate, { token, params, body: { status: 'RESTRICTED' } });
    await api.call(userUpdate, { token, params, body: { status: 'ACTIVE' } });
    const query = { entity: 'user', entityId: userId } as const;
    const { entries } = (await api.call(auditList, { token: admin.token, query })).answer;
    expect(entries[0]?.actor).toBe('mira (token nightly)');
  });

  describe('of a service', () => {
    test('acts for the member whom it names, and the audit log names both', async () => {
      const { token } = await tokenOf(['members']);
      const scheduled = await api.call(mePostCreate, { token, headers: as(did), body: post });
      expect(scheduled.answer.post.content).toBe('For a member');
      const row = await api.db.one(
        sql`select user_id as id from posts where id = ${scheduled.answer.post.id}`,
      );
      expect(row).toEqual({ id: userId });
      const query = { action: 'memberCall', entityId: userId } as const;
      const { entries } = (await api.call(auditList, { token: admin.token, query })).answer;
      expect(entries[0]).toMatchObject({
        actor: 'mira (token nightly)',
        entityId: userId,
        after: { call: 'mePostCreate' },
      });
      expect((await api.call(meGet, { token, headers: as(did) })).answer.user.did).toBe(did);
    });

    test('gives the reason of a call to the audit log', async () => {
      const { token } = await tokenOf(['members']);
      const call = (reason: string) =>
        api.call(mePostCreate, {
          token,
          headers: { ...as(did), [REASON_HEADER]: reason },
          body: post,
        });
      expect((await call(encodeURIComponent('Asked for by télé'))).status).toBe(201);
      const query = { action: 'memberCall', entityId: userId } as const;
      const { entries } = (await api.call(auditList, { token: admin.token, query })).answer;
      expect(entries[0]?.reason).toBe('Asked for by télé');
      expect((await call('%')).error.issues?.[0]?.path).toBe('reason');
    });

    test('has to name a member who is here and may use the service', async () => {
      const { token } = await tokenOf(['members']);
      const call = (headers: Record<string, string>) => api.call(meGet, { token, headers });
      expect(refusal(await call({})).message).toBe(
        'Name the member by DID in the header Meridian-Member',
      );
      expect(refusal(await call(as('did:plc:unknown')))).toEqual(catalogued('member_not_found'));
      const blocked = 'did:plc:blockedmemberofthetests';
      await insertUser(api.db, { did: blocked, status: 'BLOCKED' });
      expect(refusal(await call(as(blocked)))).toEqual(catalogued('member_off'));
      const suspended = 'did:plc:suspendedmemberofthetests';
      await insertUser(api.db, { did: suspended, status: 'SUSPENDED' });
      expect((await call(as(suspended))).status).toBe(200);
      const write = await api.call(mePostCreate, { token, headers: as(suspended), body: post });
      expect(write.error.code).toBe('member_suspended');
    });

    test('leads a member through the sign-in and back, once and to this browser alone', async () => {
      const origins = ['https://app.example'];
      const { token } = await tokenOf(['members'], { origins });
      const begin = (returnTo: string, by: string | undefined = token) =>
        api.call(meSignIn, { token: by, body: { handle: 'newcomer.test', returnTo } });
      expect((await begin('https://evil.example/', token)).error.issues?.[0]?.path).toBe(
        'returnTo',
      );
      const without = await api.call(meSignIn, {
        body: { handle: 'newcomer.test', returnTo: 'https://app.example/' },
      });
      expect(without.status).toBe(401);

      const { redirectTo, signInId = '' } = (await begin('https://app.example/back?s=1')).answer;
      const browser = createBrowser(api);
      const { pathname, search } = new URL(redirectTo);
      const toConsent = await browser.send({ url: `${pathname}${search}` });
      const state = new URL(String(toConsent.headers.location), 'http://x').searchParams.get(
        'state',
      );
      const consented = await browser.consent(state ?? '', {
        handle: 'newcomer.test',
        decision: 'allow',
      });
      const returned = await browser.send({ url: String(consented.headers.location) });
      const url = new URL(String(returned.headers['refresh']).replace('0;url=', ''));
      expect([url.origin, url.searchParams.get('s')]).toEqual(['https://app.example', '1']);
      expect([...browser.cookies.keys()]).toEqual([]);

      const code = url.searchParams.get('code') ?? '';
      const result = (body: { signInId: string; code: string }, by = token) =>
        api.call(meSignInResult, { token: by, body });
      const other = (await begin('https://app.example/')).answer.signInId ?? '';
      const another = (await tokenOf(['members'])).token;
      for (const refused of [
        await result({ signInId: other, code }),
        await result({ signInId, code: signInId }),
        await result({ signInId, code }, another),
      ]) {
        expect(refusal(refused)).toEqual(catalogued('sign_in_unfinished'));
      }
      const { answer } = await result({ signInId, code });
      expect(answer).toEqual({ did: expect.stringMatching(/^did:plc:/), handle: 'newcomer.test' });
      expect((await result({ signInId, code })).status).toBe(409);
      const me = await api.call(meGet, { token, headers: as(answer.did) });
      expect(me.answer.account.state).toBe('CONNECTED');
    });

    test('has to say where the member comes back to', async () => {
      const { token } = await tokenOf(['members'], { origins: ['https://app.example'] });
      const begin = (authorization = `Bearer ${token}`) =>
        api.call(meSignIn, { headers: { authorization }, body: { handle: 'newcomer.test' } });
      const refused = await begin();
      const sentence =
        'Send returnTo, the address at an origin of this API token to which the browser comes back';
      expect(refusal(refused)).toEqual(catalogued('invalid_input', sentence));
      expect(refused.error.issues).toEqual([{ path: 'returnTo', message: sentence }]);
      expect((await begin(`Bearer ${token.slice(0, -1)}`)).error.code).toBe('unauthenticated');
      const { token: without } = await tokenOf(['users:read']);
      expect((await begin(`Bearer ${without}`)).error.code).toBe('right_missing');
      // A proxy in front of the page may have its own sign-in.
      expect((await begin('Basic YTpi')).answer).not.toHaveProperty('signInId');
    });

    test('comes back with the reason when the member refuses', async () => {
      const { token } = await tokenOf(['members'], { origins: ['http://localhost:9999'] });
      const body = { handle: 'refuser.test', returnTo: 'http://localhost:9999/' };
      const { redirectTo } = (await api.call(meSignIn, { token, body })).answer;
      const browser = createBrowser(api);
      const { pathname, search } = new URL(redirectTo);
      const toConsent = await browser.send({ url: `${pathname}${search}` });
      const state = new URL(String(toConsent.headers.location), 'http://x').searchParams.get(
        'state',
      );
      const consented = await browser.consent(state ?? '', {
        handle: 'refuser.test',
        decision: 'refuse',
      });
      const returned = await browser.send({ url: String(consented.headers.location) });
      expect(returned.headers['refresh']).toBe('0;url=http://localhost:9999/?error=refused');
    });
  });

  const own = async () => ({ headers: await signInMember(api, userId) });

  describe('of a member', () => {
    test('acts for its owner alone', async () => {
      const session = await own();
      const { token, apiToken } = (await api.call(meTokenCreate, { ...session, body })).answer;
      expect((await api.call(meGet, { token })).answer.user.id).toBe(userId);
      const headers = { [MEMBER_HEADER]: 'did:plc:another' };
      expect((await api.call(meGet, { token, headers })).error.code).toBe('right_missing');
      expect((await api.call(authMe, { token })).error.code).toBe('session_required');
      expect((await listUsers(token)).error.code).toBe('right_missing');
      expect((await api.call(meTokenCreate, { token, body })).error.code).toBe('session_required');
      const returnTo = 'https://app.example/';
      const signIn = await api.call(meSignIn, { token, body: { handle: 'a.test', returnTo } });
      expect(signIn.error.code).toBe('session_required');
      const params = { id: apiToken.id };
      await api.call(meTokenRevoke, { ...session, params });
      expect((await api.call(meGet, { token })).error.code).toBe('token_ended');
    });

    test('is one of ten at most, and nobody else sees or revokes it', async () => {
      const session = await own();
      const create = () => api.call(meTokenCreate, { ...session, body });
      const answers = await Promise.all(Array.from({ length: 14 }, create));
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(MEMBER_TOKENS_MAX);
      const refused = answers.find(({ status }) => status !== 201);
      expect(refused && refusal(refused)).toEqual(catalogued('too_many_tokens'));
      const { tokens } = (await api.call(meTokenList, session)).answer;
      expect(tokens).toHaveLength(MEMBER_TOKENS_MAX);
      const stranger = { headers: await signInMember(api, await insertUser(api.db)) };
      expect((await api.call(meTokenList, stranger)).answer.tokens).toEqual([]);
      const tooLong = { ...body, expiresAt: inDays(TOKEN_DAYS_MAX + 1) };
      const { error } = await api.call(meTokenCreate, { ...stranger, body: tooLong });
      expect(error.message).toBe(BAD_EXPIRY);
      const params = { id: tokens[0]?.id ?? '' };
      expect((await api.call(meTokenRevoke, { ...stranger, params })).status).toBe(404);
      expect((await api.call(apiTokenRevoke, { token: admin.token, params })).status).toBe(404);
    });
  });
});
