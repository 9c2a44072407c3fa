import { describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import {
  assignments,
  columnNames,
  columnsOf,
  insertValues,
  jsonObject,
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
