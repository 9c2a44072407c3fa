import { describe, expect, test } from 'vitest';
import { sql, statementName } from './sql.ts';
import type { Sql } from './sql.ts';

const read = (id: number) => sql`select * from t where id = ${id}`;
const compare = (right: unknown) => sql`a = ${right}`;
const list = (filter: Sql, order: Sql, limit: number) =>
  sql`select id from t where ${filter} and n > ${limit} order by ${order} limit ${sql.whole(limit)}`;
const search = (name: string) => sql`where ${sql.join([sql`a = ${name}`, sql`b`], sql` and `)}`;

describe('sql', () => {
  test('turns every value into a parameter', () => {
    const query = sql`select * from users where id = ${"'; drop table users"} limit ${3}`;
    expect(query.text).toBe('select * from users where id = $1 limit $2');
    expect(query.values).toEqual(["'; drop table users", 3]);
  });

  test('splices fragments in and counts on', () => {
    const filter = sql`where status = ${'ACTIVE'} and ${sql`n > ${1}`}`;
    const query = sql`select ${sql`id, name`} from t ${filter} offset ${20}`;
    expect(query.text).toBe('select id, name from t where status = $1 and n > $2 offset $3');
    expect(query.values).toEqual(['ACTIVE', 1, 20]);
  });

  test('joins fragments', () => {
    const conditions = [sql`a = ${1}`, sql`b = ${2}`, sql`true`];
    const query = sql`where ${sql.join(conditions, sql` and `)} x`;
    expect(query.text).toBe('where a = $1 and b = $2 and true x');
    expect(query.values).toEqual([1, 2]);
    expect(sql`(${sql.join([])})`.text).toBe('()');
    expect(sql.join([sql`a`, sql`b`]).text).toBe('a, b');
  });

  test('is put together once, whatever the values, also around joined fragments', () => {
    expect(search('x').chunks).toBe(search('y').chunks);
    expect(sql.join([sql`a`, sql`b`, sql`c`]).text).toBe('a, b, c');
  });

  test('can be used again without change', () => {
    const part = sql`x = ${1}`;
    expect(sql`${part} or ${part}`.text).toBe('x = $1 or x = $2');
    expect(part.text).toBe('x = $1');
  });

  test('is put together anew where the fragments differ, whatever was made before', () => {
    const [all, some] = [sql`true`, sql`status = ${'ACTIVE'}`];
    const [up, down] = [sql`id`, sql`id desc`];
    for (let round = 0; round < 2; round += 1) {
      expect(list(all, up, 5)).toMatchObject({
        text: 'select id from t where true and n > $1 order by id limit 5',
        values: [5],
      });
      expect(list(some, down, 6)).toMatchObject({
        text: 'select id from t where status = $1 and n > $2 order by id desc limit 6',
        values: ['ACTIVE', 6],
      });
      expect(list(some, up, 5)).toMatchObject({
        text: 'select id from t where status = $1 and n > $2 order by id limit 5',
        values: ['ACTIVE', 5],
      });
    }
  });

  test('distinguishes a value from a fragment at the same position', () => {
    const texts = [1, sql`b`, sql`${2} + c`, 'x', sql`b`].map((right) => compare(right).text);
    expect(texts).toEqual(['a = $1', 'a = b', 'a = $1 + c', 'a = $1', 'a = b']);
  });

  test('keeps null, arrays and bytes, and refuses undefined', () => {
    const bytes = Buffer.from('x');
    expect(sql`${null} ${[1, 2]} ${bytes}`.values).toEqual([null, [1, 2], bytes]);
    expect(() => sql`${undefined}`).toThrow('undefined');
  });

  test('writes JSON, arrays included', () => {
    expect(sql`${sql.json([{ a: 1 }])}::jsonb`.values).toEqual(['[{"a":1}]']);
  });
});

describe('statementName', () => {
  test('is the same for the same text only, and short enough for PostgreSQL', () => {
    expect(statementName('select 1')).toBe(statementName('select 1'));
    expect(statementName('select 1')).not.toBe(statementName('select 2'));
    expect(statementName('select 1')?.length).toBeLessThan(64);
    expect(read(1).name).toBe(statementName('select * from t where id = $1'));
    expect(read(2).name).toBe(read(1).name);
  });
});
