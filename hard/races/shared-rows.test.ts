import { currencyCreate, currencyDeactivate } from '@meridian/contract/currencies';
import { planSetActive, planSetVisibility, planUpdate } from '@meridian/contract/plans';
import { settingsUpdate } from '@meridian/contract/settings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOST } from '../../server/src/audit/audit.store.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import { isViolation } from '../../server/src/db/errors.ts';
import { sql } from '../../server/src/db/sql.ts';
import {
  insertCurrency,
  planBody,
  planUpdate as updateBody,
} from '../../server/test/plan-fixtures.ts';
import { PLAYED, flawsOf, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';
import { collide, lockTable, times } from './collide.ts';

/** Codes of other tests begin with later letters. */
const LETTERS = 'abcdefghijklm';
const letterAt = (index: number) => LETTERS.charAt(index % LETTERS.length);

describe(`one row in several hands, ${PLAYED}`, () => {
  let arena: Arena;
  beforeAll(async () => {
    arena = await startArena();
    await arena.db.execute(sql`create table naive_currencies (like currencies including defaults)`);
  });
  afterAll(() => arena.api.close());

  const makePlan = () => arena.api.context.plans.create(HOST, planBody());
  const lockPlan = (id: string) => sql`select from plans where id = ${id} for update`;

  describe('C14: two editors of one plan do not overwrite each other', () => {
    /** Who was told that it is done, and what is left of it. */
    const judge = (told: string[], left: string) =>
      told.length === 1 && told[0] === left
        ? null
        : `${told.join(' and ') || 'no client'} was told, ${left} is there`;
    const descriptionOf = async (id: string) =>
      (
        await arena.db.one<{ text: string }>(sql`
          select description ->> 'en' as text from plans where id = ${id}`)
      ).text;

    test('the naive version tells both that it is done', async () => {
      const naive: Round = async (random) => {
        const { id, version } = await makePlan();
        const told: string[] = [];
        const edit = async (side: string) => {
          const seen = await arena.db.one<{ version: number }>(sql`
            select version from plans where id = ${id}`);
          if (seen.version !== version) return;
          await arena.db.execute(sql`
            update plans set description = ${sql.json({ en: side })}, version = ${version + 1}
            where id = ${id}`);
          told.push(side);
        };
        await collide(arena.db, lockPlan(id), random, [() => edit('left'), () => edit('right')]);
        return judge(told, await descriptionOf(id));
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('one wins, the other hears of it, and the record says which', async () => {
      const winners = new Set<string>();
      const round: Round = async (random) => {
        const { id, name, version } = await makePlan();
        const edit = (side: string) =>
          arena.api.call(planUpdate, {
            token: arena.token,
            params: { id },
            body: updateBody({ name, description: { en: side } }),
            headers: { 'if-match': `"v${version}"` },
          });
        await collide(arena.db, lockPlan(id), random, [() => edit('left'), () => edit('right')]);
        const left = await descriptionOf(id);
        winners.add(left);
        const entries = await arena.db.many<{ side: string }>(sql`
          select after #>> '{description,en}' as side from audit_log
          where action = 'planUpdate' and entity_id = ${id}`);
        return judge(
          entries.map(({ side }) => side),
          left,
        );
      };
      expect(await flawsOf(round)).toEqual([]);
      expect([...winners].toSorted()).toEqual(['left', 'right']);
    });

    test('a switch turned during an edit is not turned back, and moves the version', async () => {
      const round: Round = async (random) => {
        const { id, name } = await makePlan();
        const { token } = arena;
        const params = { id };
        const sides = [
          () => arena.api.call(planSetActive, { token, params, body: { isActive: false } }),
          () => arena.api.call(planSetVisibility, { token, params, body: { isVisible: false } }),
          () =>
            arena.api.call(planUpdate, {
              token,
              params,
              body: updateBody({ name }),
              headers: { 'if-match': '"v1"' },
            }),
        ];
        await collide(arena.db, lockPlan(id), random, sides);
        const row = await arena.db.one<{ line: string; entries: number }>(sql`
          select concat_ws(' ', is_active, is_visible, version) as line,
            (select count(*) from audit_log where entity_id = ${id} and action <> 'planCreate') as entries
          from plans where id = ${id}`);
        // The edit succeeds only as the first: then there are three changes, else two.
        const isRight = /^f f [34]$/.test(row.line) && row.line.endsWith(String(row.entries + 1));
        return isRight ? null : `${row.line} after ${row.entries} changes`;
      };
      expect(await flawsOf(round)).toEqual([]);
    });
  });

  describe('C15: two switches of the service do not undo each other', () => {
    const lock = sql`select from service_settings for update`;
    const reset = () =>
      arena.db.execute(sql`
        update service_settings set is_closed_beta = false, is_service_suspended = false`);
    const flaw = async () => {
      const row = await arena.db.one<{ line: string }>(sql`
        select concat_ws(' ', is_closed_beta, is_service_suspended) as line from service_settings`);
      return row.line === 't t' ? null : row.line;
    };
    type Switch = 'is_closed_beta' | 'is_service_suspended';
    const SWITCHES: readonly Switch[] = ['is_closed_beta', 'is_service_suspended'];

    test('the naive version writes back what it read', async () => {
      const turn = async (name: Switch) => {
        const seen = await arena.db.one<Record<Switch, boolean>>(sql`
          select is_closed_beta, is_service_suspended from service_settings`);
        seen[name] = true;
        await arena.db.execute(sql`
          update service_settings set is_closed_beta = ${seen.is_closed_beta},
            is_service_suspended = ${seen.is_service_suspended}`);
      };
      const naive: Round = async (random) => {
        await reset();
        const sides = SWITCHES.map((name) => () => turn(name));
        await collide(arena.db, lock, random, sides);
        return flaw();
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('both stick', async () => {
      const round: Round = async (random) => {
        await reset();
        const sides = SWITCHES.map(
          (name) => () =>
            arena.api.call(settingsUpdate, { token: arena.token, body: { [name]: true } }),
        );
        await collide(arena.db, lock, random, sides);
        return flaw();
      };
      expect(await flawsOf(round)).toEqual([]);
    });

    test('there is no second row', async () => {
      const second = arena.db.execute(sql`insert into service_settings (id) values (2)`);
      const error: unknown = await second.catch((caught: unknown) => caught);
      expect(isViolation(error, 'service_settings_id_check')).toBe(true);
    });
  });

  describe('C16: a currency code is given away once', () => {
    let codes = 0;
    /** Never the same twice: for a code that an earlier round gave away there is no race. */
    const newCode = () => {
      codes += 1;
      const places = [LETTERS.length ** 2, LETTERS.length, 1];
      return places.map((place) => letterAt(Math.floor(codes / place))).join('');
    };

    test('the naive version makes twenty', async () => {
      const create = async (code: string) => {
        const there = await arena.db.maybeOne(sql`
          select from naive_currencies where code = ${code}`);
        if (there !== null) return;
        await arena.db.execute(sql`
          insert into naive_currencies (id, code, name, symbol)
          values (${uuidV7()}, ${code}, 'Twenty', '¤')`);
      };
      const naive: Round = async (random) => {
        const code = newCode();
        await arena.db.execute(sql`delete from naive_currencies`);
        const lock = sql`lock table naive_currencies in exclusive mode`;
        const sides = times(20, () => create(code));
        await collide(arena.db, lock, random, sides);
        const { n } = await arena.db.one<{ n: number }>(sql`
          select count(*) as n from naive_currencies where code = ${code}`);
        return n === 1 ? null : `${n} rows`;
      };
      expect(await shareBroken(naive)).toBe(1);
    });

    test('twenty at once: one row, one entry in the record', async () => {
      const round: Round = async (random) => {
        const code = newCode();
        const body = { code, name: 'Twenty', symbol: '¤' };
        const sides = times(20, () => arena.api.call(currencyCreate, { token: arena.token, body }));
        await collide(arena.db, lockTable.currencies, random, sides);
        const row = await arena.db.one<{ line: string }>(sql`
          select concat_ws(' ',
            (select count(*) from currencies where code = ${code}),
            (select count(*) from audit_log
             where action = 'currencyCreate' and after ->> 'code' = ${code})) as line`);
        return row.line === '1 1' ? null : row.line;
      };
      expect(await flawsOf(round)).toEqual([]);
    });
  });

  // Zero is a legal state: the console has a notice for it.
  test('C17: the last active currencies, deactivated at once, are all off', async () => {
    const ids = await Promise.all(['qqa', 'qqb'].map((code) => insertCurrency(arena.db, code)));
    const round: Round = async (random) => {
      await arena.db.execute(sql`update currencies set is_active = id = any(${ids}::uuid[])`);
      const sides = ids.map(
        (id) => () => arena.api.call(currencyDeactivate, { token: arena.token, params: { id } }),
      );
      await collide(arena.db, lockTable.currencies, random, sides);
      const { n } = await arena.db.one<{ n: number }>(sql`
        select count(*) as n from currencies where is_active`);
      return n === 0 ? null : `${n} active`;
    };
    expect(await flawsOf(round)).toEqual([]);
  });
});
