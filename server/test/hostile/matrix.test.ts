import { authLogout } from '@meridian/contract/auth';
import type { Endpoint } from '@meridian/contract/endpoint';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { postDelete } from '@meridian/contract/posts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { note } from '../figures.ts';
import { fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';
import { judge, requestsJudged } from './judge.ts';
import { requestOf, spoilt } from './spoil.ts';
import { HOSTILE_JSON, HOSTILE_TEXTS } from './values.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/** The calls after which others find nothing come last. */
const LAST: readonly Endpoint[] = [postDelete, authLogout];
const ALL: readonly Endpoint[] = [...ENDPOINTS.filter((call) => !LAST.includes(call)), ...LAST];

const attacked = ALL.flatMap((endpoint) =>
  fieldsOf(endpoint).map((field) => ({ endpoint, field })),
);

describe('every field with everything that does not belong there', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(async () => {
    note({ what: 'Hostile values in every field', requests: requestsJudged() });
    await world.api.close();
  });

  test('covers the contract', () => {
    expect(attacked.length).toBeGreaterThanOrEqual(160);
  });

  test('begins with requests that are right', async () => {
    const fresh = await createWorld();
    const refused: string[] = [];
    for (const endpoint of ALL) {
      const { params, query, body } = fresh.exampleOf(endpoint);
      const payload = body === null ? null : JSON.stringify(body);
      const request = requestOf(endpoint, params, new URLSearchParams(query), payload);
      const { isRefused } = await judge(fresh, endpoint, request);
      if (isRefused) refused.push(endpoint.name);
    }
    await fresh.api.close();
    // Wrong passwords on purpose.
    expect(refused).toEqual(['authLogin', 'authPassword']);
  });

  test.each(ALL.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s',
    async (_, endpoint) => {
      const faults: string[] = [];
      for (const field of fieldsOf(endpoint)) faults.push(...(await attack(endpoint, field)));
      expect(faults).toEqual([]);
    },
  );

  /** What went wrong. A refused request must not have changed anything either. */
  async function attack(endpoint: Endpoint, field: Field): Promise<string[]> {
    const faults: string[] = [];
    const values = Object.entries(field.in === 'body' ? HOSTILE_JSON : HOSTILE_TEXTS);
    let before = await world.fingerprint();
    for (const [name, value] of values) {
      const request = spoilt(endpoint, world.exampleOf(endpoint), field, value);
      const verdict = await judge(world, endpoint, request);
      faults.push(...verdict.faults.map((fault) => `${field.in} ${field.name}, ${name}: ${fault}`));
      // Some values are right for some fields; what they changed is the new state.
      if (!verdict.isRefused) before = await world.fingerprint();
    }
    if ((await world.fingerprint()) !== before)
      faults.push(`${field.name}: a refusal changed data`);
    return faults;
  }
});
