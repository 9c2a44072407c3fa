import { Ajv2020 } from 'ajv/dist/2020.js';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { faultOf, importSchemas, importedPerson, importedPost, readLines } from './format.ts';

const DID = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const PERSON = { did: DID, handle: 'ana.example' };
const POST = {
  id: '019a8f3c-5a10-7c3e-9d2b-1f0a6c7d8e9f',
  did: DID,
  content: 'Good morning',
  status: 'PENDING',
  scheduled_at: '2026-12-01T09:00:00Z',
};
const URI = `at://${DID}/app.bsky.feed.post/3m5q2xk7dhs2a`;

test.each(Object.entries(importSchemas()))(
  '%s in docs/schemas is what the import checks (vitest -u writes it)',
  async (name, schema) => {
    const file = `../../../docs/schemas/${name}`;
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot(file);
  },
);

const judges = Object.values(importSchemas()).map((schema) =>
  new Ajv2020({ strict: false, validateFormats: false }).compile(schema),
);

test.each([
  [PERSON],
  [
    {
      ...PERSON,
      id: null,
      display_name: 'Ana',
      status: 'BLOCKED',
      created_at: '2026-01-01T00:00:00.000001+02:00',
    },
  ],
])('a person: %j', (person) => {
  expect(faultOf(importedPerson, JSON.stringify(person))).toBeNull();
  expect(judges[0]?.(person)).toBe(true);
});

test.each([
  [POST],
  [
    {
      ...POST,
      status: 'COMPLETED',
      at_uri: URI,
      facets: [],
      embed: {},
      thread: [{}],
      languages: ['en'],
    },
  ],
  [{ ...POST, status: 'COMPLETED', at_uri: null }],
  [{ ...POST, status: 'FAILED', cause: 'too_late', at_rkey: '3m5q2xk7dhs2a' }],
])('a post: %j', (post) => {
  expect(faultOf(importedPost, JSON.stringify(post))).toBeNull();
  expect(judges[1]?.(post)).toBe(true);
});

/** Most are refused by the published schema as well; the others span fields. */
test.each([
  ['Unknown field: sheduled_at', { sheduled_at: 'x' }, 'schema'],
  ['id must be a UUID', { id: '17' }, 'schema'],
  ['did must be a DID such as did:plc:ewvi7nxzyoun6zhxrhs64oiz', { did: 'ana' }, 'schema'],
  ['did must be a DID such as did:plc:ewvi7nxzyoun6zhxrhs64oiz', { did: undefined }, 'schema'],
  ['content must be text of 0 to 10000 characters', { content: 'x'.repeat(10_001) }, 'schema'],
  [
    'status must be one of PENDING, COMPLETED, FAILED, CANCELLED',
    { status: 'PROCESSING' },
    'schema',
  ],
  [
    'scheduled_at must be a date and time with a zone, between 2000 and 2100',
    { scheduled_at: 'tomorrow' },
    'schema',
  ],
  ['embed must be an object', { embed: [] }, 'schema'],
  ['thread must be a list of 1 to 24 entries', { thread: [] }, 'schema'],
  [
    'at_uri is required of a COMPLETED post; null says that its address is not known',
    { status: 'COMPLETED' },
    'schema',
  ],
  [
    'a PENDING post has no at_uri or at_rkey, because it is still to be published',
    { at_uri: URI },
    'code',
  ],
  [
    'at_uri must be a record of the did, with at_rkey as its last part',
    { status: 'COMPLETED', at_uri: URI.replace('ewvi', 'othr') },
    'code',
  ],
  [
    'at_uri must be a record of the did, with at_rkey as its last part',
    { status: 'COMPLETED', at_uri: URI, at_rkey: 'another' },
    'code',
  ],
])('refused: %s', (reason, fields, by) => {
  const line = JSON.stringify({ ...POST, ...fields });
  expect(faultOf(importedPost, line)).toBe(reason);
  expect(judges[1]?.(JSON.parse(line))).toBe(by === 'code');
});

test.each([
  ['{', 'The line is not JSON'],
  ['[]', 'The line is not a JSON object'],
  ['null', 'The line is not a JSON object'],
])('%s: %s', (line, reason) => {
  expect(faultOf(importedPost, line)).toBe(reason);
});

describe('lines', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'meridian-lines-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function linesOf(content: string | Buffer) {
    const file = join(folder, 'file');
    await writeFile(file, content);
    const lines = [];
    for await (const { number, text, fault } of readLines(file))
      lines.push([number, text ?? fault]);
    return lines;
  }

  test.each([
    ['', []],
    [
      'a\nb\n',
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      'a\r\n\n \nb',
      [
        [1, 'a\r'],
        [4, 'b'],
      ],
    ],
    ['\u{feff}{"ä":"𝄞"}\n', [[1, '{"ä":"𝄞"}']]],
  ])('%j', async (content, lines) => {
    expect(await linesOf(content)).toEqual(lines);
  });

  test('a line that no text can be is refused, and those beside it are not', async () => {
    const content = Buffer.concat([
      Buffer.from('a\n'),
      Buffer.from([0xc3, 0x28, 0x0a]),
      Buffer.alloc(3_000_000, 'x'),
      Buffer.from('\nb\n'),
    ]);
    expect(await linesOf(content)).toEqual([
      [1, 'a'],
      [2, 'The line is not UTF-8'],
      [3, 'The line is longer than 1 MB'],
      [4, 'b'],
    ]);
  });
});
