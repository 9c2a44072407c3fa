import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import {
  assignments,
  columnNames,
  columnsOf,
  insertValues,
  jsonObject,
  parseExactTimestamp,
  parseTimestamp,
  patchOf,
  selectList,
} from './columns.ts';
import { sql } from './sql.ts';

const COLUMNS = { name: 'name', displayOrder: 'display_order', texts: { json: 'texts' } } as const;
const ROW = { name: 'a', displayOrder: 1, texts: ['x'] };

test.each([
  [columnNames(COLUMNS), 'name, display_order, texts', []],
  [
    selectList(COLUMNS, 'p'),
    'p.name as "name", p.display_order as "displayOrder", p.texts as "texts"',
    [],
  ],
  [insertValues(COLUMNS, ROW), '$1, $2, $3', ['a', 1, '["x"]']],
  [assignments(COLUMNS, ROW), 'name = $1, display_order = $2, texts = $3', ['a', 1, '["x"]']],
  [
    patchOf(COLUMNS, { displayOrder: 0, texts: null, name: undefined }).set,
    'display_order = $1, texts = $2',
    [0, null],
  ],
  [
    patchOf(COLUMNS, { displayOrder: 0, texts: ['x'] }).isSame,
    'display_order is not distinct from $1 and texts is not distinct from $2',
    [0, '["x"]'],
  ],
  [
    jsonObject(COLUMNS),
    `jsonb_build_object('name', name, 'displayOrder', display_order, 'texts', texts)`,
    [],
  ],
])('derived from one description: %#', (fragment, text, values) => {
  expect(fragment.text).toBe(text);
  expect(fragment.values).toEqual(values);
});

test('a missing value is refused, and so is a name that is none', () => {
  // @ts-expect-error an insert names every column
  expect(() => insertValues(COLUMNS, { name: 'a', texts: [] })).toThrow('undefined');
  expect(() => columnNames({ name: 'name; drop table plans' })).toThrow('Not a name in SQL');
  expect(() => patchOf(COLUMNS, { name: undefined })).toThrow('A patch names no field');
  expect(sql`select ${columnNames({ name: 'name' })}`.text).toBe('select name');
});

test('columns that are spread from others are exactly those of the entity', () => {
  const exact = columnsOf<'id' | 'name'>();
  const tooMany = { name: 'name', note: 'note' } as const;
  expect(exact({ id: 'id', name: 'name' })).toEqual({ id: 'id', name: 'name' });
  // @ts-expect-error a field that the entity does not have
  expect(exact({ id: 'id', ...tooMany })).toHaveProperty('note');
  // @ts-expect-error a field is missing
  expect(exact({ id: 'id' })).not.toHaveProperty('name');
});

describe.each(EITHER)('a patch on %s', (engine) => {
  const api = setUpApp(engine);

  test('stores null, leaves what it does not name, and knows what already stands', async () => {
    const { db } = api;
    await db.execute(sql`create table patched (name text, texts jsonb, display_order int)`);
    await db.execute(sql`insert into patched values ('a', '["x"]', 1)`);
    const write = async (patch: Partial<Record<keyof typeof COLUMNS, unknown>>) => {
      const { set, isSame } = patchOf(COLUMNS, patch);
      const { same } = await db.one<{ same: boolean }>(sql`select ${isSame} as same from patched`);
      await db.execute(sql`update patched set ${set}`);
      return { same, ...(await db.one<object>(sql`select ${selectList(COLUMNS)} from patched`)) };
    };
    expect(await write({ name: null })).toEqual({ same: false, ...ROW, name: null });
    expect(await write({ name: null })).toEqual({ same: true, ...ROW, name: null });
    expect(await write({ name: 'a', texts: null })).toEqual({ same: false, ...ROW, texts: null });
    expect(await write({ texts: ['x'] })).toEqual({ same: false, ...ROW });
    expect(await write({ texts: ['x'], displayOrder: 1 })).toEqual({ same: true, ...ROW });
  });
});

test.each([
  ['2026-11-15 02:36:45+00', '2026-11-15T02:36:45.000Z'],
  ['2026-11-15 02:36:45.1+00', '2026-11-15T02:36:45.100Z'],
  ['2026-11-15 02:36:45.123999+00', '2026-11-15T02:36:45.123Z'],
  ['2026-11-15 11:36:45.5+09', '2026-11-15T02:36:45.500Z'],
  ['2026-11-15 08:06:45.123456+05:30', '2026-11-15T02:36:45.123Z'],
  ['2026-11-14 23:06:45-03:30', '2026-11-15T02:36:45.000Z'],
])('%s is %s', (text, iso) => {
  expect(parseTimestamp(text)).toBe(iso);
});

test.each([
  ['12026-11-15 02:36:45+00', '+012026-11-15T02:36:45.000Z'],
  ['4713-11-24 00:00:01+00 BC', '-004712-11-24T00:00:01.000Z'],
  ['0001-01-01 00:00:00+00 BC', '0000-01-01T00:00:00.000Z'],
  ['294276-12-31 23:59:59+00', '+275760-09-13T00:00:00.000Z'],
  ['infinity', '+275760-09-13T00:00:00.000Z'],
  ['-infinity', '-271821-04-20T00:00:00.000Z'],
])('%s, written by hand, is read as %s', (text, iso) => {
  expect(parseTimestamp(text)).toBe(iso);
});

test.each([
  ['2026-11-15 02:36:45+00', '2026-11-15T02:36:45.000000Z'],
  ['2026-11-15 02:36:45.1+00', '2026-11-15T02:36:45.100000Z'],
  ['2026-11-15 02:36:45.123999+00', '2026-11-15T02:36:45.123999Z'],
  ['2026-11-15 08:06:45.120406+05:30', '2026-11-15T02:36:45.120406Z'],
])('%s is %s to the microsecond', (text, iso) => {
  expect(parseExactTimestamp(text)).toBe(iso);
});
