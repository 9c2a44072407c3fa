import { errorBody } from '@meridian/contract/errors';
import { assert, json, property } from 'fast-check';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { EITHER, setUpApp } from '../../test/app.ts';
import { insertUser } from '../../test/fixtures.ts';
import { parseJsonBody, readBody, readResponse } from './bodies.ts';
import { AppError } from './errors.ts';

const parse = (text: string) => parseJsonBody(Buffer.from(text));

describe('a JSON body', () => {
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

describe('a body that arrives in pieces', () => {
  test.each([
    ['nothing', []],
    ['one piece', ['{"a":1}']],
    ['many pieces', Array.from({ length: 5_000 }, (_, index) => String(index % 10))],
    ['pieces that double', Array.from({ length: 12 }, (_, index) => 'ä'.repeat(2 ** index))],
  ])('puts together %s', async (_, pieces) => {
    const body = Readable.from(
      pieces.map((piece) => Buffer.from(piece)),
      { objectMode: false },
    );
    expect((await readBody(body, 100_000)).toString()).toBe(pieces.join(''));
  });

  test('takes as much as is allowed, and not a byte more', async () => {
    expect(await readBody(Readable.from([Buffer.alloc(60), Buffer.alloc(40)]), 100)).toHaveLength(
      100,
    );
    const tooMuch = readBody(Readable.from([Buffer.alloc(60), Buffer.alloc(41)]), 100);
    await expect(tooMuch).rejects.toMatchObject({ code: 'body_too_large' });
  });

  test('ends when the client hangs up', async () => {
    const body = new PassThrough();
    const reading = readBody(body, 100);
    body.write('{');
    body.destroy(new Error('aborted'));
    await expect(reading).rejects.toMatchObject({ code: 'malformed_json' });
  });
});

const heapMb = () => process.memoryUsage().heapUsed / 1024 ** 2;

describe('the response of another host', () => {
  const PIECES = 2_000_000;
  const AT_A_TIME = 50_000;
  /** Without a copy, the pieces alone took 250 MB. */
  const MAX_GROWTH_MB = 100;

  const pieces = Buffer.alloc(AT_A_TIME * 6, '1\r\nx\r\n');
  function* response() {
    yield Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let sent = 0; sent < PIECES; sent += AT_A_TIME) yield pieces;
    yield Buffer.from('0\r\n\r\n');
  }
  const server = createServer((request) => {
    // Fails when the reader has enough.
    pipeline(Readable.from(response()), request.socket).catch(() => {});
  });
  const agent = new Agent();
  beforeAll(async () => {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(async () => {
    await agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  async function bodyOf() {
    const { port } = server.address() as AddressInfo; // listening on TCP, so never a string
    const origin = `http://127.0.0.1:${port}`;
    return (await agent.request({ origin, path: '/', method: 'GET' })).body;
  }

  test('a body of single bytes is read in bounded memory', async () => {
    const before = heapMb();
    let peak = 0;
    const timer = setInterval(() => (peak = Math.max(peak, heapMb())), 5);
    const bytes = await readResponse(await bodyOf(), PIECES);
    clearInterval(timer);
    expect(bytes.equals(Buffer.alloc(PIECES, 'x'))).toBe(true);
    expect(peak - before).toBeLessThan(MAX_GROWTH_MB);
  });

  test('a body is read no further than asked for', async () => {
    expect(await readResponse(await bodyOf(), 7)).toEqual(Buffer.alloc(7, 'x'));
  });
});

describe.each(EITHER)('malformed requests on %s', (engine) => {
  const test = setUpApp(engine);
  let authorization: string;

  beforeAll(async () => {
    authorization = `Bearer ${(await test.signIn()).token}`;
    await insertUser(test.db);
  });

  const refused = async (url: string, headers: Record<string, string> = {}) => {
    const response = await test.app.inject({ url, headers });
    const { code, requestId } = errorBody.parse(response.json());
    expect(requestId).not.toBe('');
    return [response.statusCode, code];
  };

  it.each([
    ['longer than any', 'x'.repeat(2_000)],
    ['with a broken escape', '%ff'],
    ['with half an escape', 'abc%2'],
    ['with a null character', '%00'],
  ])('an id %s asks for a session first, and is unknown then', async (_, id) => {
    const url = `/api/admin/users/${id}`;
    expect(await refused(url)).toEqual([401, 'unauthenticated']);
    expect(await refused(url, { authorization })).toEqual([404, 'user_not_found']);
  });

  it.each([
    '/api/admin/users?status=',
    '/api/admin/users?limit=&offset=&search=',
    '/api/admin/posts?status=&userFilter=&sort=&order=',
    '/api/admin/tickets?limit=&offset=&status=&search=',
    '/api/admin/plans?includeInactive=&includeInvisible=',
    '/api/admin/currencies?includeInactive=',
  ])('%s is answered as if the empty parameters were not there', async (url) => {
    const bare = url.slice(0, url.indexOf('?'));
    const [empty, without] = [
      await test.app.inject({ url, headers: { authorization } }),
      await test.app.inject({ url: bare, headers: { authorization } }),
    ];
    expect([empty.statusCode, empty.json()]).toEqual([200, without.json()]);
  });

  const send = async (headers: Record<string, string>) => {
    const response = await test.app.inject({
      method: 'PATCH',
      url: '/api/admin/settings',
      headers: { authorization, 'content-type': 'application/json', ...headers },
      payload: '{"is_closed_beta":false}',
    });
    return response.statusCode;
  };

  it.each([
    { 'content-encoding': 'gzip' },
    { 'content-encoding': 'br' },
    { 'content-encoding': 'klingon' },
    { 'content-type': 'application/json; charset=iso-8859-1' },
    { 'content-type': 'application/json;charset="utf-16"' },
  ])('a body with %j is refused with 415', async (headers) => {
    expect(await send(headers)).toBe(415);
  });

  it.each([
    { 'content-encoding': 'identity' },
    { 'content-type': 'application/json; charset=UTF-8' },
    { 'content-type': 'application/json;charset="utf-8"' },
  ])('a body with %j is read', async (headers) => {
    expect(await send(headers)).toBe(200);
  });
});
