import { ENDPOINTS } from '@meridian/contract/endpoints';
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brokenBy, valuesOf } from '../../../test/schema-values.ts';
import type { Schema } from '../../../test/schema-values.ts';
import { bodyValidator, queryValidator } from '../register.ts';
import { bodyOf, openApiDocument } from './openapi.ts';
import type { Parameter } from './openapi.ts';

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
    ...Object.fromEntries(required.map((other) => [other.name, schemaOf(other.schema).enum?.[0]])),
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

/** The document is typed as JSON; what stands in it is what `Schema` describes. */
function schemaOf(schema: object | undefined): Schema {
  if (schema === undefined) throw new Error('There is no schema');
  return schema;
}

/** The cases of which a judge thinks otherwise. */
function misjudged(
  cases: Iterable<[rule: string, value: unknown]>,
  verdict: boolean,
  ...judges: ((value: unknown) => boolean)[]
): [rule: string, value: unknown][] {
  return [...cases].filter(([, value]) => judges.some((judge) => judge(value) !== verdict));
}
