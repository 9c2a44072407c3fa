import type { Endpoint } from '@meridian/contract/endpoint';
import { ME_ENDPOINTS } from '@meridian/contract/me/endpoints';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { routerPath } from '../../server/src/http/register.ts';
import { setUpApp } from '../../server/test/app.ts';
import { insertUser } from '../../server/test/fixtures.ts';
import { signInMember } from '../../server/test/members.ts';
import { fieldsOf } from './fields.ts';
import { judge } from './judge.ts';
import { requestOf, spoilt } from './spoil.ts';
import { HOSTILE_JSON, HOSTILE_TEXTS } from './values.ts';
import type { Example, World } from './world.ts';

const UNKNOWN = '01890000-0000-7000-8000-000000000000';
const BODIES: Record<string, Record<string, unknown>> = {
  meSignIn: { handle: 'hostile.test', keyword: 'not a keyword' },
  // Never the person's own: the next call needs them.
  meDelete: { handle: 'another.test', isSure: true },
};

function exampleOf({ name, path, body }: Endpoint): Example {
  const params = path.includes('{id}') ? { id: UNKNOWN } : {};
  return { params, query: {}, body: body === null ? null : (BODIES[name] ?? {}) };
}

function requestFor(endpoint: Endpoint) {
  const { params, body } = exampleOf(endpoint);
  const payload = body === null ? null : JSON.stringify(body);
  return requestOf(endpoint, params, new URLSearchParams(), payload);
}

describe('the calls of the people who schedule', () => {
  const api = setUpApp('embedded', { env: { NETWORK: 'local' } });
  let world: World;
  let cookie: string;
  beforeAll(async () => {
    world = { api, token: '', exampleOf, changes: async () => [] };
    ({ cookie } = await signInMember(api, await insertUser(api.db)));
  });

  const isServed = ({ method, path }: Endpoint) =>
    api.app.hasRoute({ method, url: routerPath(path) });

  test('are refused without a session and from another site', async () => {
    const calls = ME_ENDPOINTS.filter((endpoint) => endpoint.credential === 'cookie');
    const served = calls.filter(isServed);
    expect(served.length).toBeGreaterThanOrEqual(5);
    for (const endpoint of served) {
      const { method, url, payload } = requestFor(endpoint);
      const statusOf = async (headers: Record<string, string>) => {
        const json = payload === null ? {} : { 'content-type': 'application/json' };
        const request = { method, url, headers: { ...json, ...headers } };
        return (await api.app.inject({ ...request, ...(payload !== null && { payload }) }))
          .statusCode;
      };
      expect([endpoint.name, await statusOf({})]).toEqual([endpoint.name, 401]);
      const stolen = { cookie: cookie.replace('member=', 'member=x') };
      expect([endpoint.name, await statusOf(stolen)]).toEqual([endpoint.name, 401]);
      if (method === 'GET') continue;
      const crossSite = { cookie, 'sec-fetch-site': 'cross-site' };
      expect([endpoint.name, await statusOf(crossSite)]).toEqual([endpoint.name, 403]);
    }
  });

  test.each(ME_ENDPOINTS.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s refuses everything that does not belong there',
    async (_, endpoint) => {
      const faults: string[] = [];
      for (const field of fieldsOf(endpoint)) {
        // The limit on sign-ins has tests of its own.
        await api.db.execute(sql`delete from attempt_buckets`);
        const values = Object.entries(field.in === 'body' ? HOSTILE_JSON : HOSTILE_TEXTS);
        for (const [name, value] of values) {
          const request = spoilt(endpoint, exampleOf(endpoint), field, value);
          const headers = { ...request.headers, cookie };
          const judged = await judge(world, endpoint, { ...request, headers });
          faults.push(...judged.faults.map((fault) => `${field.name}, ${name}: ${fault}`));
        }
      }
      expect(faults).toEqual([]);
    },
  );
});
