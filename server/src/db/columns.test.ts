import { expect, test } from 'vitest';
import {
  assignments,
  columnNames,
  insertValues,
  jsonObject,
  patchedValues,
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
    patchedValues(COLUMNS, { displayOrder: 0 }),
    'coalesce($1, name), coalesce($2, display_order), coalesce($3, texts)',
    [null, 0, null],
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
  expect(sql`select ${columnNames({ name: 'name' })}`.text).toBe('select name');
});
