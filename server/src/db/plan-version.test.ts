import { planUpdate } from '@meridian/contract/plans';
import { beforeAll, describe, expect, test } from 'vitest';
import { ENGINES, setUpApp } from '../../test/app.ts';
import { planBody, planUpdate as updateBody } from '../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../test/refusal.ts';
import { HOST } from '../audit/author.ts';
import { sql } from './sql.ts';
import type { Sql } from './sql.ts';

const CHANGED = 'This plan was changed by someone else. Reload and try again.';

describe.each(ENGINES)('the version of a plan that another program changes on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  beforeAll(async () => {
    ({ token } = await api.signIn());
  });

  const makePlan = () => api.context.plans.create(HOST, planBody());
  const change = async (id: string, to: Sql): Promise<number> => {
    const row = await api.db.one<{ version: number }>(sql`
      update plans set ${to} where id = ${id} returning version`);
    return row.version;
  };

  test.each([
    ['a word', sql`name = name || '!'`],
    ['a limit', sql`limits = limits || '{"max_images_per_post": 1}'`],
    ['a switch', sql`is_visible = not is_visible`],
    ['everything', sql`description = '{"en": "!"}', currency = 'eur', updated_at = now()`],
  ])('rises by one with %s', async (_, to) => {
    const { id } = await makePlan();
    const other = await makePlan();
    expect(await change(id, to)).toBe(2);
    expect(await change(other.id, sql`name = name`)).toBe(1);
  });

  test('tells who has the plan of before on the screen', async () => {
    const { id, name } = await makePlan();
    await change(id, sql`display_order = display_order + 1`);
    const save = (version: number) =>
      api.call(planUpdate, {
        token,
        params: { id },
        body: updateBody({ name }),
        headers: { 'if-match': `"v${version}"` },
      });
    expect(refusal(await save(1))).toEqual(catalogued('changed_elsewhere', CHANGED));
    // The service raises it by itself, and so only once.
    expect((await save(2)).answer.plan.version).toBe(3);
  });

  test('stays when nothing changes', async () => {
    const { id } = await makePlan();
    expect(await change(id, sql`name = name, limits = limits, is_active = true`)).toBe(1);
  });

  test('is what the program makes it, if it does', async () => {
    const { id } = await makePlan();
    expect(await change(id, sql`is_visible = false, version = version + 1`)).toBe(2);
    expect(await change(id, sql`is_visible = true, version = 9`)).toBe(9);
    expect(await change(id, sql`version = version + 1`)).toBe(10);
  });
});
