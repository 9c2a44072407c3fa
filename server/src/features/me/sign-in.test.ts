import { meGet, meSignIn, meSignOut } from '@meridian/contract/me/account';
import { parseSetCookie } from 'cookie';
import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp, startTestApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { createBrowser } from '../../../test/members.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';

const EXPIRED = '/me?error=expired';

type Browser = ReturnType<typeof createBrowser>;

async function meOf(browser: Browser) {
  const response = await browser.send({ url: meGet.path });
  return response.statusCode === 200 ? meGet.answer.parse(response.json()) : null;
}

/** Up to the callback, which is left to the test. */
async function upToCallback(browser: Browser, handle: string) {
  const { redirectTo } = (await browser.begin(handle)).json<{ redirectTo: string }>();
  const state = new URLSearchParams(redirectTo.split('?')[1]).get('state') ?? '';
  const { headers } = await browser.consent(state, { handle, decision: 'allow' });
  return { redirectTo, state, url: String(headers.location) };
}

describe.each(EITHER)('signing in on the local network, on the %s database', (engine) => {
  const api = setUpApp(engine, { env: { NETWORK: 'local' } });

  test('lets a user in who is known', async () => {
    const id = await insertUser(api.db, { handle: 'known.test', display_name: 'Known' });
    const browser = createBrowser(api);
    expect(await browser.signIn('known.test')).toBe('/me');
    const me = await meOf(browser);
    expect(me?.user).toMatchObject({ id, handle: 'known.test', displayName: 'Known' });
    expect(me?.account).toMatchObject({ state: 'CONNECTED', host: 'local' });
  });

  test('finds an account by its DID, and by a handle as it is copied', async () => {
    const did = 'did:plc:abcdefghijklmnopqrstuvwx';
    await insertUser(api.db, { handle: 'Renamed.test', did });
    for (const handle of [did, '\u202a@Renamed.test\u202c']) {
      const begun = await createBrowser(api).begin(handle);
      expect(begun.json<{ redirectTo: string }>().redirectTo).toContain('handle=renamed.test&');
    }
  });

  test('makes a new account of a handle that is not in use, once', async () => {
    const [first, second] = [createBrowser(api), createBrowser(api)];
    expect(await first.signIn('newcomer.test')).toBe('/me');
    expect(await second.signIn('newcomer.test')).toBe('/me');
    const user = (await meOf(first))?.user;
    expect(user?.did).toMatch(/^did:plc:[a-z2-7]{24}$/);
    expect((await meOf(second))?.user).toEqual(user);
  });

  test('sends cookies that no script and no other site can use', async () => {
    const browser = createBrowser(api);
    const begun = await browser.begin('bytes.test');
    expect(begun.headers['set-cookie']).toMatch(
      /^__Host-sign-in=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const { redirectTo } = begun.json<{ redirectTo: string }>();
    const state = new URLSearchParams(redirectTo.split('?')[1]).get('state') ?? '';
    const { headers } = await browser.consent(state, { handle: 'bytes.test', decision: 'allow' });
    const arrived = await browser.send({ url: String(headers.location) });
    expect(arrived.statusCode).toBe(302);
    expect(arrived.headers['set-cookie']).toEqual([
      '__Host-sign-in=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
      expect.stringMatching(
        /^__Host-member=[\w-]{43}; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
    // The token leaves in the cookie and nowhere else.
    const [, line = ''] = [arrived.headers['set-cookie'] ?? []].flat();
    const { value: token = '' } = parseSetCookie(line);
    expect(JSON.stringify([arrived.headers.location, arrived.body])).not.toContain(token);
    expect(api.logged.join('')).not.toContain(token);
    expect(api.logged.join('')).not.toContain(state);
  });

  test('shows who may be played, and that nothing leaves the machine', async () => {
    await insertUser(api.db, { handle: 'other.test', display_name: '<b>Other</b>' });
    const { redirectTo } = (await createBrowser(api).begin('@Someone.Test')).json<{
      redirectTo: string;
    }>();
    const page = await api.app.inject({ url: redirectTo });
    expect(page.statusCode).toBe(200);
    expect(page.headers['content-security-policy']).toContain("form-action 'self'");
    expect(page.body).toContain('Sign in as @someone.test');
    expect(page.body).toContain('nothing leaves this machine');
    expect(page.body).toContain('&lt;b&gt;Other&lt;/b&gt;');
    expect(page.body).not.toContain('<script');
  });

  test('ends without a session when it is denied', async () => {
    const browser = createBrowser(api);
    const { redirectTo } = (await browser.begin('denied.test')).json<{ redirectTo: string }>();
    const state = new URLSearchParams(redirectTo.split('?')[1]).get('state') ?? '';
    const { headers } = await browser.consent(state, { handle: 'denied.test', decision: 'deny' });
    const arrived = await browser.send({ url: String(headers.location) });
    expect(arrived.headers.location).toBe('/me?error=refused');
    expect(await meOf(browser)).toBeNull();
  });

  test('can be finished once', async () => {
    const browser = createBrowser(api);
    const { url } = await upToCallback(browser, 'once.test');
    const kept = new Map(browser.cookies);
    expect((await browser.send({ url })).headers.location).toBe('/me');
    const replayed = createBrowser(api);
    for (const [name, value] of kept) replayed.cookies.set(name, value);
    expect((await replayed.send({ url })).headers.location).toBe(EXPIRED);
    expect(await meOf(replayed)).toBeNull();
  });

  test('cannot be finished in another browser', async () => {
    const { url } = await upToCallback(createBrowser(api), 'attacker.test');
    const victim = createBrowser(api);
    expect((await victim.send({ url })).headers.location).toBe(EXPIRED);
    // Nor while that browser has a sign-in of its own under way, which is then over too.
    const own = await upToCallback(victim, 'victim.test');
    expect((await victim.send({ url })).headers.location).toBe(EXPIRED);
    expect((await victim.send({ url: own.url })).headers.location).toBe(EXPIRED);
    expect(await meOf(victim)).toBeNull();
  });

  test('is over after ten minutes', async () => {
    const browser = createBrowser(api);
    const { url } = await upToCallback(browser, 'slow.test');
    await api.db.execute(sql`update member_sign_ins set expires_at = now()`);
    expect((await browser.send({ url })).headers.location).toBe(EXPIRED);
  });

  test('never takes over a token that was known before, and ends its session', async () => {
    const browser = createBrowser(api);
    const planted = 'p'.repeat(43);
    browser.cookies.set('__Host-member', planted);
    await browser.signIn('fixation.test');
    const token = browser.cookies.get('__Host-member');
    expect(token).not.toBe(planted);
    await browser.signIn('fixation.test');
    const headers = { cookie: `__Host-member=${token}` };
    expect((await api.call(meGet, { headers })).status).toBe(401);
    expect((await browser.send({ method: 'POST', url: meSignOut.path })).statusCode).toBe(200);
  });

  test.each([
    ['blocked', { status: 'BLOCKED' }],
    ['blocked', { is_active: false }],
  ] as const)('is refused as %s to %j', async (error, fields) => {
    const handle = `refused-${'status' in fields ? 1 : 2}.test`;
    await insertUser(api.db, { handle, ...fields });
    const browser = createBrowser(api);
    expect(await browser.signIn(handle)).toBe(`/me?error=${error}`);
    expect(await meOf(browser)).toBeNull();
  });

  test('is refused while the service is suspended, from beginning to end', async () => {
    const browser = createBrowser(api);
    const { url } = await upToCallback(browser, 'paused.test');
    await api.db.execute(sql`update service_settings set is_service_suspended = true`);
    expect((await browser.send({ url })).headers.location).toBe('/me?error=suspended');
    const begun = await api.call(meSignIn, { body: { handle: 'paused.test' } });
    expect(refusal(begun)).toEqual(catalogued('service_suspended'));
    await api.db.execute(sql`update service_settings set is_service_suspended = false`);
  });

  test.each([
    ['nothing'],
    ['did:plc:aaaaaaaaaaaaaaaaaaaaaaaa'],
    ['a b.test'],
    ['-a.test'],
    ['a.test/../b'],
    ['ä.test'],
    ['a..test'],
  ])('finds no account of %j', async (handle) => {
    const refused = await api.call(meSignIn, { body: { handle } });
    expect(refusal(refused)).toEqual(catalogued('handle_not_found'));
  });

  test('is refused to another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const refused = await api.call(meSignIn, { body: { handle: 'a.test' }, headers });
    expect(refusal(refused)).toEqual(catalogued('forbidden_origin'));
    const form = await api.app.inject({
      method: 'POST',
      url: '/local-network/consent',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'state=a&handle=b.test&decision=allow',
    });
    expect(form.statusCode).toBe(403);
  });
});

test('without a network signing in is refused', async () => {
  const api = await startTestApp('embedded', { env: { NETWORK: 'off' } });
  const refused = await api.call(meSignIn, { body: { handle: 'a.test' } });
  expect(refusal(refused)).toEqual(catalogued('sign_in_off'));
  await api.close();
});

test('a network may begin so many sign-ins', async () => {
  const api = await startTestApp('embedded', { env: { NETWORK: 'local' } });
  const browser = createBrowser(api);
  for (let n = 0; n < 60; n += 1) expect((await browser.begin('a.test')).statusCode).toBe(200);
  const refused = await browser.begin('a.test');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, expect.anything()]);
  await api.close();
});
