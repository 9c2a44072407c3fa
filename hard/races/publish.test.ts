import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOST } from '../../server/src/audit/audit.store.ts';
import type { Db } from '../../server/src/db/database.ts';
import { sql } from '../../server/src/db/sql.ts';
import {
  filesOfFolder,
  readIndex,
  readPlanFiles,
} from '../../server/src/features/plans/testing/published-files.ts';
import { insertCurrency, planBody } from '../../server/test/plan-fixtures.ts';
import { PLAYED, flawsOf, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';
import { collide } from './collide.ts';

describe(`C19: what is published is one committed state, ${PLAYED}`, () => {
  let arena: Arena;
  let plans: string[];
  let step = 0;
  beforeAll(async () => {
    arena = await startArena();
    await insertCurrency(arena.db, 'usd');
    const made = [1, 2, 3].map(() =>
      arena.api.context.plans.create(HOST, planBody({ priceMonthly: { usd: 0 } })),
    );
    plans = (await Promise.all(made)).map(({ id }) => id);
  });
  afterAll(() => arena.api.close());

  /** All plans move together, so a mix of two states shows. */
  const moveAll = () => {
    step += 1;
    return arena.db.transaction(async (tx: Db) => {
      await tx.execute(sql`update plans set display_order = ${step}`);
      await tx.execute(sql`update plan_prices set amount = ${step}`);
    });
  };
  const flawOf = (steps: readonly number[]) =>
    new Set(steps).size === 1 ? null : `a mix of ${[...new Set(steps)].join(' and ')}`;

  test('the naive version, which reads plan by plan, mixes two', async () => {
    const naive: Round = async () => {
      const steps: number[] = [];
      for (const id of plans) {
        const row = await arena.db.one<{ display_order: number; amount: string }>(sql`
          select display_order, amount from plans join plan_prices on plan_id = id where id = ${id}`);
        steps.push(row.display_order, Number(row.amount));
        if (id === plans[0]) await moveAll();
      }
      return flawOf(steps);
    };
    expect(await shareBroken(naive)).toBe(1);
  });

  test('however many edit meanwhile', async () => {
    const { planPublisher } = arena.api.context;
    const files = filesOfFolder(arena.api.dataDir);
    const round: Round = async (random) => {
      await moveAll();
      // Every side waits here until all have arrived.
      const lock = sql`lock table plan_prices in access exclusive mode`;
      await collide(arena.db, lock, random, [() => planPublisher.publish(HOST), moveAll]);
      const index = await readIndex(files);
      const published = [...index.plans, ...(await readPlanFiles(files, index))];
      // Each plan and price once in the index and once in its own file.
      const steps = published.flatMap((plan) => [
        plan.displayOrder,
        plan.priceMonthly?.['usd'] ?? -1,
      ]);
      return steps.length === 12 ? flawOf(steps) : `${steps.length} numbers`;
    };
    expect(await flawsOf(round)).toEqual([]);
  });
});
