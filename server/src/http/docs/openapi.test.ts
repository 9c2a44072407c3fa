import { MEMBER_HEADER } from '@meridian/contract/api-tokens';
import type { Endpoint } from '@meridian/contract/endpoint';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { ERRORS } from '@meridian/contract/errors';
import { meSignIn } from '@meridian/contract/me/account';
import { meTicketRedeem } from '@meridian/contract/me/tickets';
import { ME_ENDPOINTS } from '@meridian/contract/me/endpoints';
import { describe, expect, test } from 'vitest';
import { setUpApp } from '../../../test/app.ts';
import { aimAtRows } from '../../../test/every-call.ts';
import { answersEtag, errorCodesOf, OF_NO_CALL } from './error-codes.ts';
import { openApiDocument } from './openapi.ts';

/** They look for what a body names. */
const OF_WORDS = new Set<Endpoint>([meSignIn, meTicketRedeem]);
const CALLS: readonly Endpoint[] = [...ENDPOINTS, ...ME_ENDPOINTS];

describe('the documentation', () => {
  const api = setUpApp('embedded');

  test('needs no session, as OpenAPI 3.1', async () => {
    const old = await api.app.inject('/api/admin/openapi.json');
    const response = await api.app.inject(String(old.headers.location));
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.json()).toEqual(JSON.parse(JSON.stringify(openApiDocument(CALLS))));
    expect(response.json().openapi).toBe('3.1.0');
  });

  test.each(CALLS.map((endpoint) => [endpoint.name, endpoint] as const))(
    'describes %s',
    (_, endpoint) => {
      const document = openApiDocument(CALLS);
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()];
      expect(operation?.operationId).toBe(endpoint.name);
      const tokens = operation?.security.filter((one) => 'token' in one);
      expect(tokens).toHaveLength(endpoint.right === null ? 0 : 1);
      expect('requestBody' in (operation ?? {})).toBe(endpoint.body !== null);
      expect(operation?.responses).toHaveProperty(String(endpoint.status));
      const inPath = operation?.parameters.filter((parameter) => parameter.in === 'path');
      expect(inPath?.map(({ name }) => `{${name}}`)).toEqual(endpoint.path.match(/\{\w+\}/g) ?? []);
      expect(operation?.parameters.filter(({ description }) => description === '')).toEqual([]);
      const headers = operation?.parameters.filter((parameter) => parameter.in === 'header');
      const taken = new Set(headers?.map(({ name }) => name));
      expect(taken.has('Idempotency-Key')).toBe(endpoint.takesKey);
      const statuses = Object.keys(operation?.responses ?? {});
      expect(statuses).toEqual(expect.arrayContaining(['400', '429', '500', '503']));
      expect(statuses.includes('401')).toBe(true);
      const isNamed = endpoint.path.includes('{id}') || taken.has(MEMBER_HEADER);
      expect(statuses.includes('404')).toBe(isNamed || OF_WORDS.has(endpoint));
      expect(statuses.includes('412')).toBe(taken.has('If-Match'));
      expect(statuses).not.toContain('default');
    },
  );

  test('names every error code at a call, or lists it as one of no call', () => {
    const named = new Set([...CALLS.flatMap(errorCodesOf), ...OF_NO_CALL]);
    expect([...named].toSorted()).toEqual(Object.keys(ERRORS).toSorted());
  });

  test('announces the ETag where the server sends one, and If-Match where it minds it', async () => {
    const { token } = await api.signIn();
    const aim = await aimAtRows(api.db);
    for (const endpoint of ENDPOINTS.filter(({ method, media }) => method === 'GET' && !media)) {
      const { headers } = await api.app.inject({
        url: aim(endpoint),
        headers: { authorization: `Bearer ${token}` },
      });
      const isTagged = headers['etag']?.startsWith('"v') === true;
      expect([endpoint.name, isTagged]).toEqual([endpoint.name, answersEtag(endpoint)]);
    }
  });

  test('is a page without scripts and inline styles that names every call', async () => {
    const { body, headers } = await api.app.inject('/api/docs');
    // Long lines scroll, also by keyboard.
    expect(body).not.toMatch(/<pre(?! tabindex="0")/);
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    expect(body).not.toMatch(/<script|<style|\sstyle=|\son\w+=/i);
    for (const code of Object.keys(ERRORS)) expect(body).toContain(`<code>${code}</code>`);
    for (const { name, path } of CALLS) {
      expect(body).toContain(`id="${name}"`);
      expect(body).toContain(`curl $MERIDIAN${path}`);
    }
    expect(body).toContain('at_uri: string | null');
    expect(body).toContain('executed_at: string (date-time) | null');
    // They are the network's own records.
    expect(new Set(body.match(/\w+: any value/g))).toEqual(
      new Set(['facets: any value', 'embed: any value', 'thread: any value']),
    );
    const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(body) ?? [];
    const css = await api.app.inject(stylesheet);
    expect(css.headers['content-type']).toBe('text/css; charset=utf-8');
    expect(css.body).toContain('prefers-color-scheme: dark');
  });

  test('the page names the address at which it was opened', async () => {
    for (const host of ['127.0.0.1:4711', 'localhost:3000']) {
      const { body } = await api.app.inject({ url: '/api/docs', headers: { host } });
      expect(/export MERIDIAN=(.*)/.exec(body)?.[1]).toBe(`http://${host}`);
    }
  });
});
