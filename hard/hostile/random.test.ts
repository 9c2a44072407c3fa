import type { Endpoint } from '@meridian/contract/endpoint';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { note } from '../../server/test/figures.ts';
import { fieldsOf } from './fields.ts';
import { judge, requestsJudged } from './judge.ts';
import { requestOf, spoilt } from './spoil.ts';
import type { RawRequest } from './spoil.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/** Raised, and with another seed, by the long run; a failure prints both and the smallest case. */
const RUNS = Number(process.env['HOSTILE_RUNS'] ?? 30);
const SEED = Number(process.env['HOSTILE_SEED'] ?? 20_261_115);

const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary', maxLength: 300 }));
const anyJson = fc.oneof(
  fc.json({ depthSize: 'medium' }),
  fc.jsonValue({ noUnicodeString: false }).map((value) => JSON.stringify(value)),
  fc.double().map(String),
  anyText,
);

/** Known and unknown names, given twice or with brackets, as a query may be written. */
function anyQuery(endpoint: Endpoint) {
  const known = fieldsOf(endpoint).filter((field) => field.in === 'query');
  const names = known.flatMap(({ name }) => [name, `${name}[]`, `${name}[0]`, name.toUpperCase()]);
  const name = fc.oneof(fc.constantFrom('limit', 'page', '__proto__', ...names), anyText);
  return fc.array(fc.tuple(name, fc.oneof(fc.integer().map(String), anyText)), { maxLength: 4 });
}

function anyRequest(world: World, endpoint: Endpoint): fc.Arbitrary<RawRequest> {
  const fields = fieldsOf(endpoint);
  const arbitrary = fc
    .record({ query: anyQuery(endpoint), body: anyJson, id: anyText, hasBody: fc.boolean() })
    .map(({ query, body, id, hasBody }) => {
      const { params } = world.exampleOf(endpoint);
      const others = Object.fromEntries(Object.keys(params).map((name) => [name, id]));
      const search = new URLSearchParams();
      for (const [name, value] of query) search.append(name.toWellFormed(), value.toWellFormed());
      return requestOf(endpoint, hasBody ? params : others, search, hasBody ? body : null);
    });
  if (fields.length === 0) return arbitrary;
  const mutated = fc
    .tuple(fc.constantFrom(...fields), anyJson)
    .map(([field, value]) => spoilt(endpoint, world.exampleOf(endpoint), field, value));
  return fc.oneof(arbitrary, mutated, mutated);
}

describe(`${RUNS} random requests to each call, seed ${SEED}`, () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(async () => {
    note({ what: 'Hostile requests at random', seed: SEED, requests: requestsJudged() });
    await world.api.close();
  });

  // Ending the session would make all later requests end at the door.
  const calls = ENDPOINTS.filter(({ name }) => name !== 'authLogout');
  test.each(calls.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s',
    async (_, endpoint) => {
      const property = fc.asyncProperty(anyRequest(world, endpoint), async (request) => {
        expect((await judge(world, endpoint, request)).faults).toEqual([]);
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED });
    },
  );
});
