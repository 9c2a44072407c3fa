import { authLogout } from '@meridian/contract/auth';
import type { Endpoint } from '@meridian/contract/endpoint';
import { ENDPOINTS } from '@meridian/contract/endpoints';
import { planCreate, planPublish } from '@meridian/contract/plans';
import { postDelete } from '@meridian/contract/posts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { note } from '../../server/test/figures.ts';
import { fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';
import { judge, requestsJudged } from './judge.ts';
import { requestOf, spoilt } from './spoil.ts';
import { HOSTILE_JSON, HOSTILE_TEXTS } from './values.ts';
import { KEPT, touchedTables } from './watched-tables.ts';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/** Writes every plan, so it comes before hundreds of them are created. */
const FIRST: readonly Endpoint[] = [planPublish];
/** The calls after which others find nothing come last. */
const LAST: readonly Endpoint[] = [postDelete, authLogout];
const BETWEEN = ENDPOINTS.filter((call) => ![...FIRST, ...LAST].includes(call));
const ALL: readonly Endpoint[] = [...FIRST, ...BETWEEN, ...LAST];

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

  test('puts each value as it is where the field stands', () => {
    const example = { params: {}, query: {}, body: { limits: { size: 1 }, name: 'a' } };
    const spoiltAt = (...steps: string[]) =>
      spoilt(planCreate, example, { in: 'body', name: steps.join('.'), steps }, '1e400').payload;
    expect(spoiltAt('limits', 'size')).toBe('{"limits":{"size":1e400},"name":"a"}');
    expect(spoiltAt('other')).toBe('{"limits":{"size":1},"name":"a","other":1e400}');
    expect(spoiltAt()).toBe('1e400');
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
    // Wrong passwords on purpose, an entry without an inverse, no Accept header of a stream, no host of
    // pictures that could be reached, a change and a resume that were not previewed, and a post that did not fail.
    expect(refused.toSorted()).toEqual([
      'auditReverse',
      'authLogin',
      'authPassword',
      'bulkStart',
      'eventStream',
      'pictureLoad',
      'postRetry',
      'serviceResume',
    ]);
  });

  test('would see a change in any table that people keep, unless it was undone', async () => {
    const changedMyMind = new Error('changed my mind');
    const emptying = world.api.db.transaction(async (tx) => {
      for (const { table } of KEPT) await tx.execute(sql`delete from ${table}`);
      expect(await touchedTables(tx)).toEqual(KEPT.map(({ name }) => name).toSorted());
      throw changedMyMind;
    });
    await expect(emptying).rejects.toBe(changedMyMind);
    expect(await world.changes()).toEqual([]);
    await world.api.db.execute(sql`update users set handle = handle`);
    expect(await world.changes()).toEqual([]);
    await world.api.db.execute(sql`update users set handle = handle || '.test'`);
    expect(await world.changes()).toEqual(['users']);
  });

  test.each(ALL.map((endpoint) => [endpoint.name, endpoint] as const))(
    '%s',
    async (_, endpoint) => {
      const faults: string[] = [];
      for (const field of fieldsOf(endpoint)) faults.push(...(await attack(endpoint, field)));
      expect(faults).toEqual([]);
    },
  );

  /** What went wrong. A refused request must not have changed anything either, each by itself. */
  async function attack(endpoint: Endpoint, field: Field): Promise<string[]> {
    const faults: string[] = [];
    const values = Object.entries(field.in === 'body' ? HOSTILE_JSON : HOSTILE_TEXTS);
    for (const [name, value] of values) {
      const request = spoilt(endpoint, world.exampleOf(endpoint), field, value);
      const verdict = await judge(world, endpoint, request);
      const changes = await world.changes();
      // Some values are right for some fields and may change what they want.
      if (verdict.isRefused && changes.length > 0)
        verdict.faults.push(`was refused and changed ${changes.join(', ')}`);
      faults.push(...verdict.faults.map((fault) => `${field.in} ${field.name}, ${name}: ${fault}`));
    }
    return faults;
  }
});
