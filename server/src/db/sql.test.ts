import { describe, expect, test } from 'vitest';
import { sql, statementName } from './sql.ts';

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

  test('can be used again without change', () => {
    const part = sql`x = ${1}`;
    expect(sql`${part} or ${part}`.text).toBe('x = $1 or x = $2');
    expect(part.text).toBe('x = $1');
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
