import { assert, json, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AppError } from './errors.ts';
import { parseJsonBody } from './bodies.ts';

const parse = (text: string) => parseJsonBody(Buffer.from(text));

describe('parseJsonBody', () => {
  test('reads what JSON.parse reads', () => {
    const texts = json({ maxDepth: 5 })
      .filter((text) => JSON.parse(text) !== null && !text.includes('__proto__'))
      .filter((text) => !text.includes('\\u0000') && !/\\ud[89a-f]/i.test(text));
    assert(
      property(texts, (text) => {
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['nothing but blanks', '  ', 'The request body is not valid JSON'],
    ['a loose end', '{"a":1', 'The request body is not valid JSON'],
    ['null', 'null', 'The request body must be an object'],
    ['a repeated field', '{"a":1,"b":{"a":2},"a":3}', 'The request body repeats the field a'],
    ['a field repeated in disguise', '{"a":1,"\\u0061":2}', 'The request body repeats the field a'],
    [
      'a repeated field deep inside',
      '[[{"x":[{"k":1,"k":1}]}]]',
      'The request body repeats the field k',
    ],
    ['a NUL', '{"a":"x\\u0000"}', 'The request body contains characters that are not text'],
    ['a NUL in a name', '{"\\u0000":1}', 'The request body contains characters that are not text'],
    ['half a pair', '{"a":"\\ud83d"}', 'The request body contains characters that are not text'],
    ['__proto__', '{"__proto__":{}}', 'The request body has a forbidden field name'],
    [
      '__proto__ in disguise',
      '{"\\u005f_proto__":{}}',
      'The request body has a forbidden field name',
    ],
    ['21 levels', `${'['.repeat(21)}${']'.repeat(21)}`, 'The request body is nested too deeply'],
    [
      '10,000 levels',
      `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
      'The request body is nested too deeply',
    ],
    [
      '2,001 fields',
      `{${Array.from({ length: 2001 }, (_, n) => `"k${n}":0`).join()}}`,
      'The request body has too many fields',
    ],
    [
      '10,001 values',
      `[${Array.from({ length: 10_001 }, () => 0).join()}]`,
      'The request body has too many values',
    ],
    ['a string without an end', '{"a":"x\\"', 'The request body is not valid JSON'],
    ['an escape that is none', '{"a":"\\x41"}', 'The request body is not valid JSON'],
  ])('refuses %s', (_, text, message) => {
    expect(() => parse(text)).toThrow(new AppError('malformed_json', { message }));
  });

  test('refuses bytes that are not UTF-8', () => {
    const bytes = Buffer.concat([
      Buffer.from('{"a":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ]);
    expect(() => parseJsonBody(bytes)).toThrow('not valid JSON');
  });

  test.each([
    ['braces and commas inside strings', '{"a":"{,}[","b":"\\"a\\":"}'],
    ['the same name in neighbouring objects', '[{"a":1},{"a":2}]'],
    ['the same text as name and value', '{"a":"a","b":["a","a"]}'],
    ['an escaped backslash before u0000', '{"a":"\\\\u0000"}'],
    ['a whole pair', '{"a":"\\ud83d\\ude00"}'],
    ['20 levels', `${'['.repeat(20)}${']'.repeat(20)}`],
  ])('lets through %s', (_, text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });
});

const MAX_BYTES = 1024 * 1024;
const MAX_CPU_MS = 50;
const repeated = (start: string, piece: string) =>
  start + piece.repeat(Math.floor((MAX_BYTES - start.length) / piece.length));

test.each([
  ['objects', repeated('{"thread":[{}', ',{}') + ']}'],
  ['lists', repeated('[[]', ',[]') + ']'],
  ['lists of lists', repeated('[0', ',[[[[[[[[[]]]]]]]]]') + ']'],
  ['numbers', repeated('[0', ',0') + ']'],
  ['texts', repeated('[""', ',""') + ']'],
  ['levels', '['.repeat(MAX_BYTES / 2) + ']'.repeat(MAX_BYTES / 2)],
  ['quotes without an end', repeated('"', String.raw`\"`)],
  ['escaped quotes', repeated('"', String.raw`\"`) + '"'],
  ['escaped letters', repeated('"', String.raw`\u0041`) + '"'],
  ['backslashes before lines', repeated('"', '\\\n')],
])('a megabyte of %s is read or refused in a moment', (_, text) => {
  const bytes = Buffer.from(text);
  const times = Array.from({ length: 3 }, () => {
    const before = process.threadCpuUsage();
    try {
      parseJsonBody(bytes);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  expect(Math.min(...times)).toBeLessThan(MAX_CPU_MS);
});
