import { ENDPOINTS } from '@meridian/contract/endpoints';
import { ME_ENDPOINTS } from '@meridian/contract/me/endpoints';
import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp, startTestApp } from '../test/app.ts';
import { routerPath } from './http/register.ts';

/** What is served besides the calls of the contract. */
const OTHERS = [
  'GET /api/admin/openapi.json',
  'GET /api/docs',
  'GET /api/docs.css',
  'GET /api/me/sign-in/continue',
  'GET /api/openapi.json',
  'GET /healthz',
  'GET /metrics',
  'GET /oauth/callback',
  'GET /readyz',
];
/** The local network, with NETWORK=local only. */
const LOCAL_NETWORK = [
  'GET /local-network',
  'GET /local-network/',
  'GET /local-network/consent',
  'GET /local-network/profile/:did',
  'GET /local-network/profile/:did/blob/:cid',
  'GET /local-network/profile/:did/post/:rkey',
  'GET /local-network/timeline.css',
  'GET /local-network/timeline.js',
  'POST /local-network/consent',
];
const CATCH_ALL = /^(GET|HEAD) (\*|\/\*|\/cdn\/\*)$/;
const METHODS =
  'GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT PROPFIND MKCOL LOCK SEARCH PURGE'.split(
    ' ',
  );

/** `├── /users (GET)` with its branches, as `GET /users`. */
function listed(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent = '', part = '', methods] =
      /^([│ ]*)[├└]── (\S+)(?: \((.+)\))?$/.exec(line) ?? [];
    const depth = indent.length / 4;
    const path = (depth === 0 ? '' : (above[depth - 1] ?? '')) + part;
    above[depth] = path;
    return methods?.split(', ').map((method) => `${method} ${path}`) ?? [];
  });
}

/** `/tickets/issue` is an address of `/tickets/{id}` too. */
function methodsAt(url: string): Set<string> {
  const matching = ENDPOINTS.filter(({ path }) =>
    new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(url),
  );
  return new Set(matching.map(({ method }) => method));
}

describe('the routes', () => {
  const api = setUpApp('embedded', { env: { NETWORK: 'off' } });
  let authorization: string;
  beforeAll(async () => {
    authorization = `Bearer ${(await api.signIn()).token}`;
  });

  test('are the calls of the contract and a few public ones', () => {
    const found = listed(api.app.printRoutes({ commonPrefix: false }));
    const calls = [...ENDPOINTS, ...ME_ENDPOINTS].map(
      ({ method, path }) => `${method} ${routerPath(path)}`,
    );
    const expected = [...calls, ...OTHERS].toSorted();
    expect(found.filter((route) => !CATCH_ALL.test(route)).toSorted()).toEqual(expected);
  });

  test('include the local network where posts are published to it', async () => {
    const local = await startTestApp('embedded', { env: { NETWORK: 'local' } });
    const found = listed(local.app.printRoutes({ commonPrefix: false }));
    await local.close();
    const served = found.filter((route) => route.includes(' /local-network'));
    expect(served.toSorted()).toEqual(LOCAL_NETWORK);
  });

  test.each([...new Set(ENDPOINTS.map(({ path }) => path))])(
    '%s accepts no other method',
    async (path) => {
      const url = path.replaceAll(/\{\w+\}/g, '0190a0a0-0000-7000-8000-000000000000');
      const own = methodsAt(url);
      const others = METHODS.filter((method) => !own.has(method));
      for (const method of others) {
        const anonymous = await api.app.inject({ method, url });
        const signedIn = await api.app.inject({ method, url, headers: { authorization } });
        expect([method, anonymous.statusCode, signedIn.statusCode]).toEqual([method, 404, 404]);
      }
    },
  );
});
