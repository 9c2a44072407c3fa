import { describe, expect, test } from 'vitest';
import { sql, statementName } from './sql.ts';

const compare = (right: unknown) => sql`a = ${right}`;

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

  test('writes a whole number into the text, and nothing else', () => {
    expect(sql`limit ${sql.whole(5)}`).toMatchObject({ text: 'limit 5', values: [] });
    expect(() => sql.whole(0.5)).toThrow('no whole number');
  });

  test('joins fragments', () => {
    const conditions = [sql`a = ${1}`, sql`b = ${2}`, sql`true`];
    const query = sql`where ${sql.join(conditions, sql` and `)} x`;
    expect(query.text).toBe('where a = $1 and b = $2 and true x');
    expect(query.values).toEqual([1, 2]);
    expect(sql`(${sql.join([])})`.text).toBe('()');
    expect(sql.join([sql`a`, sql`b`]).text).toBe('a, b');
  });

  test('can be used again without change', () => {
    const part = sql`x = ${1}`;
    expect(sql`${part} or ${part}`.text).toBe('x = $1 or x = $2');
    expect(part.text).toBe('x = $1');
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
  });
});
