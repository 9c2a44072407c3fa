import { MEMBER_HEADER } from '@meridian/contract/api-tokens';
import type { Endpoint } from '@meridian/contract/endpoint';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { ERRORS } from '@meridian/contract/errors';
import { meSignIn, meTicketRedeem } from '@meridian/contract/me/account';
import { ME_ENDPOINTS } from '@meridian/contract/me/endpoints';
import { REASON_HEADER } from '@meridian/contract/requests';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { setUpApp } from '../../../test/app.ts';
import { aimAtRows } from '../../../test/every-call.ts';
import { brokenBy, valuesOf } from '../../../test/schema-values.ts';
import type { Schema } from '../../../test/schema-values.ts';
import { bodyValidator, queryValidator } from '../register.ts';
import { OF_NO_CALL, hasEtag, errorCodesOf } from './error-codes.ts';
import { bodyOf, openApiDocument } from './openapi.ts';
import type { Parameter } from './openapi.ts';
import { TAGS } from './words.ts';

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

  test('has words for every tag, and a tag for all words', () => {
    const { tags } = openApiDocument(CALLS);
    expect(tags.map(({ name }) => name).toSorted()).toEqual(Object.keys(TAGS).toSorted());
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
      const isAudited = endpoint.credential === 'bearer' || taken.has(MEMBER_HEADER);
      expect(taken.has(REASON_HEADER)).toBe(endpoint.method !== 'GET' && isAudited);
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
      expect([endpoint.name, isTagged]).toEqual([endpoint.name, hasEtag(endpoint)]);
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

/** The cases of which a judge thinks otherwise. */
function misjudged(
  cases: Iterable<[rule: string, value: unknown]>,
  expected: boolean,
  ...judges: ((value: unknown) => boolean)[]
): [rule: string, value: unknown][] {
  return [...cases].filter(([, value]) => judges.some((judge) => judge(value) !== expected));
}

/** The document is typed as JSON; what stands in it is what `Schema` describes. */
function schemaOf(schema: object | undefined): Schema {
  if (schema === undefined) throw new Error('There is no schema');
  return schema;
}

describe('schema agreement', () => {
  /*
   * What the documentation's schemas accept the server accepts, and what they refuse it refuses. The
   * judge of the schemas is ajv, which knows nothing of the contract that both were made from.
   */

  type Call = (typeof ENDPOINTS)[number];

  // Every format that the document names comes with a pattern that says the same.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, multipleOfPrecision: 6 });
  const { paths } = openApiDocument(ENDPOINTS);
  const RUNS = { numRuns: 40, seed: 1 };

  describe('a body', () => {
    test.each(named(({ body }) => body !== null))('of %s', (_, endpoint) => {
      const schema = schemaOf(bodyOf(operationOf(endpoint)));
      const isDocumented = ajv.compile(schema);
      const validate = bodyValidator(endpoint.body);
      const isAccepted = (body: unknown) => 'value' in validate(body);

      fc.assert(
        fc.property(valuesOf(schema), (body) => {
          expect(misjudged([['none', body]], true, isDocumented, isAccepted)).toEqual([]);
          expect(misjudged(brokenBy(schema, body), false, isDocumented, isAccepted)).toEqual([]);
        }),
        RUNS,
      );
      const names = Object.keys(schema.properties ?? {});
      fc.assert(
        fc.property(
          valuesOf(schema),
          fc.constantFrom(...names),
          fc.jsonValue(),
          (body, name, anything) => {
            const odd = { ...Object(body), [name]: anything };
            expect(misjudged([[name, odd]], isDocumented(odd), isAccepted)).toEqual([]);
          },
        ),
        { ...RUNS, numRuns: 200 },
      );
    });
  });

  describe('a query', () => {
    test.each(named(({ query }) => query !== null))('of %s', (_, endpoint) => {
      const validate = queryValidator(endpoint.query);
      for (const parameter of operationOf(endpoint).parameters) {
        if (parameter.in !== 'query') continue;
        const schema = schemaOf(parameter.schema);
        const isAccepted = (value: unknown) =>
          'value' in validate({ ...besides(endpoint, parameter), [parameter.name]: String(value) });
        // In an address everything is text, and a parameter without a value is one not given.
        const isWord = ([rule, value]: [string, unknown]) =>
          value === '' || Array.isArray(value) || (rule === 'type' && schema.type === 'string');
        fc.assert(
          fc.property(valuesOf(schema), (value) => {
            expect(misjudged([['none', value]], true, isAccepted)).toEqual([]);
            const broken = [...brokenBy(schema, value)].filter((one) => !isWord(one));
            expect(misjudged(broken, false, isAccepted)).toEqual([]);
          }),
          RUNS,
        );
      }
      expect('value' in validate({ unknown_name: '1' })).toBe(false);
    });
  });

  /** What a parameter is not accepted without: every required one, and the bounds of a search in texts. */
  function besides(endpoint: Call, { name }: Parameter): Record<string, unknown> {
    const required = operationOf(endpoint).parameters.filter(
      (other) => other.required && other.in === 'query',
    );
    return {
      ...Object.fromEntries(
        required.map((other) => [other.name, schemaOf(other.schema).enum?.[0]]),
      ),
      ...(name === 'text' && { userId: '01a1e52b-15b1-74c5-8f1b-f79ac6621f5e' }),
    };
  }

  function named(isWanted: (endpoint: Call) => boolean): [string, Call][] {
    return ENDPOINTS.filter(isWanted).map((endpoint) => [endpoint.name, endpoint]);
  }

  function operationOf({ path, method }: Call) {
    const operation = paths[path]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error(`${path} is not documented`);
    return operation;
  }
});
