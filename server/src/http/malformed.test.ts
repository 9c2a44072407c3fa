import { errorBody } from '@meridian/contract/errors';
import { beforeAll, describe, expect, it } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import { insertUser } from '../../test/fixtures.ts';

describe.each(EITHER)('malformed requests on %s', (engine) => {
  const test = setUpApp(engine);
  let authorization: string;

  beforeAll(async () => {
    authorization = `Bearer ${(await test.signIn()).token}`;
    await insertUser(test.db);
  });

  const refused = async (url: string, headers: Record<string, string> = {}) => {
    const response = await test.app.inject({ url, headers });
    const { code, requestId } = errorBody.parse(response.json());
    expect(requestId).not.toBe('');
    return [response.statusCode, code];
  };

  it.each([
    ['longer than any', 'x'.repeat(2_000)],
    ['with a broken escape', '%ff'],
    ['with half an escape', 'abc%2'],
    ['with a null character', '%00'],
  ])('an id %s asks for a session first, and is unknown then', async (_, id) => {
    const url = `/api/admin/users/${id}`;
    expect(await refused(url)).toEqual([401, 'unauthenticated']);
    expect(await refused(url, { authorization })).toEqual([404, 'user_not_found']);
  });

  it.each([
    '/api/admin/users?status=',
    '/api/admin/users?limit=&offset=&search=',
    '/api/admin/posts?status=&userFilter=&sort=&order=',
    '/api/admin/tickets?limit=&offset=&status=&search=',
    '/api/admin/plans?includeInactive=&includeInvisible=',
    '/api/admin/currencies?includeInactive=',
  ])('%s is answered as if the empty parameters were not there', async (url) => {
    const bare = url.slice(0, url.indexOf('?'));
    const [empty, without] = [
      await test.app.inject({ url, headers: { authorization } }),
      await test.app.inject({ url: bare, headers: { authorization } }),
    ];
    expect([empty.statusCode, empty.json()]).toEqual([200, without.json()]);
  });

  const send = async (headers: Record<string, string>) => {
    const response = await test.app.inject({
      method: 'PATCH',
      url: '/api/admin/settings',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      payload: '{"is_closed_beta":false}',
    });
    return response.statusCode;
  };

  it.each([
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'br' },
    { 'content-encoding': 'klingon' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': 'application/json;charset="utf-16"' },
  ])('a body with %j is refused with 415', async (headers) => {
    expect(await send(headers)).toBe(415);
  });

  it.each([
    { 'content-encoding': 'identity' },
    { 'content-type': 'application/json; charset=UTF-8' },
    { 'content-type': 'application/json;charset="utf-8"' },
  ])('a body with %j is read', async (headers) => {
    expect(await send(headers)).toBe(200);
  });
});
