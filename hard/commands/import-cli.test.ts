import { link, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createClosers } from '../../server/src/background-task.ts';
import { findDifferences } from '../../server/src/counters/counters.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import { sql } from '../../server/src/db/sql.ts';
import { EITHER } from '../../server/test/app.ts';
import type { Engine } from '../../server/test/cluster/clusters.ts';
import { createTestDatabase } from '../../server/test/cluster/test-database.ts';
import { openPatient } from '../../server/test/patient.ts';
import { runProgram } from '../../server/test/run-program.ts';

const IMPORT = new URL('../../server/src/import/import-cli.ts', import.meta.url);
const EXPORT = new URL('../../server/src/export/export-cli.ts', import.meta.url);
const SEED = new URL('../../server/src/seed/seed-cli.ts', import.meta.url);

const closers = createClosers();
afterEach(() => closers.closeAll());
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'meridian-import-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function emptyDatabase(engine: Engine) {
  const database = await createTestDatabase(engine);
  closers.add(() => database.drop());
  const { connectionString } = database;
  const db = openPatient({ connectionString }, 1);
  closers.add(() => db.close());
  const report = join(folder, `${uuidV7()}.ndjson`);
  const run = (program: URL, ...args: string[]) =>
    runProgram(program, args, { DATABASE_URL: connectionString });
  const count = async () =>
    db.one(
      sql`select (select count(*) from users) as people, (select count(*) from posts) as posts`,
    );
  return { db, report, run, count, connectionString };
}

const file = async (name: string, lines: readonly (object | string)[]) => {
  const path = join(folder, name);
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFile(path, texts.map((text) => `${text}\n`).join(''));
  return path;
};
const refused = async (report: string) =>
  (await readFile(report, 'utf8'))
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line));

const DID = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const post = (fields: object = {}) => ({
  id: uuidV7(),
  did: DID,
  content: 'Good morning',
  status: 'PENDING',
  scheduled_at: '2099-01-01T09:00:00Z',
  ...fields,
});
const published = (key: string) => ({
  status: 'COMPLETED',
  at_uri: `at://${DID}/app.bsky.feed.post/${key}`,
});

describe.each(EITHER)('on the %s database', (engine) => {
  test('an export of everything, imported and exported again, is the same to the byte', async () => {
    const from = await emptyDatabase(engine);
    await from.run(SEED, '--users', '40', '--posts', '1500');
    // Whether a post that is being sent is public, only its journal knows: an import refuses it.
    await from.db.execute(sql`update posts set status = 'CANCELLED' where status = 'PROCESSING'`);
    // Every column, and what a number of JavaScript or a clock of milliseconds would round.
    await from.db.execute(sql`
      update posts set embed = '{"exact": 12345678901234567890.10, "text": "\\u0001\\\\n ä𝄞"}',
        facets = '[{"index": {"byteStart": 0, "byteEnd": 4}}]', thread = '[{"content": "more"}]',
        reply_to = 'at://did:plc:other/app.bsky.feed.post/3m5q2xk7dhs2a', retry_of = gen_random_uuid(),
        languages = '{ja,"pt-BR"}', content = e'quote " backslash \\\\ tab \\t newline \\n',
        created_at = '2026-01-01 00:00:00.123456+00', cause = 'internal', hold = 'host_down'
      where id in (select distinct on (status) id from posts order by status, id)`);
    const [first, second] = [join(folder, uuidV7()), join(folder, uuidV7())];
    expect(await from.run(EXPORT, '--out', first)).toMatchObject({ code: 0, stderr: '' });
    const to = await emptyDatabase(engine);
    const files = [join(first, 'people.ndjson'), join(first, 'posts.ndjson')];
    expect(await to.run(IMPORT, ...files, '--report', to.report)).toMatchObject({ code: 0 });
    expect(await to.run(EXPORT, '--out', second)).toMatchObject({ code: 0 });
    for (const name of ['people.ndjson', 'posts.ndjson']) {
      const [before, after] = [join(first, name), join(second, name)].map((path) => readFile(path));
      expect((await before)?.equals((await after) ?? Buffer.alloc(0))).toBe(true);
    }
    expect(await findDifferences(to.db, 1)).toEqual([]);
    // An open post is the engine's as if it had been scheduled here.
    const { unplanned } = await to.db.one<{ unplanned: number }>(sql`
      select count(*) as unplanned from posts where (status = 'PENDING') <> (claim_at is not null)`);
    expect(unplanned).toBe(0);
    expect(await to.run(EXPORT, '--out', second)).toMatchObject({ code: 2 });
  });

  test('a refused line has its number and reason, and the others are imported', async () => {
    const { report, run, count, db } = await emptyDatabase(engine);
    const twice = post();
    const people = await file('people.ndjson', [
      { did: DID, handle: 'ana.example' },
      '',
      { did: 'ana', handle: 'ana.example' },
      { did: DID, handle: 'again.example', id: uuidV7() },
    ]);
    const posts = await file('posts.ndjson', [
      twice,
      twice,
      post({ did: 'did:plc:unknown' }),
      post(published('3m5q2xk7dhs2a')),
      post(published('3m5q2xk7dhs2a')),
      '{',
      post({ content: 'a\u0000b' }),
      post({ scheduled_at: '2020-01-01T00:00:00Z' }),
    ]);
    const { code, stdout } = await run(IMPORT, people, posts, '--report', report);
    expect({ code, stdout }).toEqual({
      code: 3,
      stdout: [
        'People: 1 added, 1 already there, 1 refused.',
        'Posts: 3 added, 1 already there, 4 refused.',
        '1 of them are PENDING and their time has passed: the engine publishes those within ENGINE_LATE_LIMIT_MINUTES and fails the others as too late.',
        `5 lines were refused; ${report} has each with its reason.`,
        '',
      ].join('\n'),
    });
    expect(await refused(report)).toEqual([
      {
        file: people,
        line: 3,
        reason: 'did must be a DID such as did:plc:ewvi7nxzyoun6zhxrhs64oiz',
      },
      { file: posts, line: 6, reason: 'The line is not JSON' },
      { file: posts, line: 3, reason: 'There is no person with this did' },
      { file: posts, line: 5, reason: 'Another post of this person has the same at_rkey' },
      {
        file: posts,
        line: 7,
        reason: expect.stringMatching(/^The database refuses it: .*Unicode/),
      },
    ]);
    expect(await count()).toEqual({ people: 1, posts: 3 });
    expect(await findDifferences(db, 1)).toEqual([]);
    const log = await db.many(sql`
      select actor_name, action, count(distinct batch) as batches, bool_and(batch::text = entity_id) as is_one
      from audit_log where entity = 'import' group by actor_name, action order by action desc`);
    expect(log).toEqual([
      { actor_name: 'host', action: 'importStart', batches: 1, is_one: true },
      { actor_name: 'host', action: 'importFinish', batches: 1, is_one: true },
    ]);
  });
});

test('a dry run says the same and keeps nothing', async () => {
  const { report, run, count, db } = await emptyDatabase('server');
  const people = await file('dry-people.ndjson', [{ did: DID, handle: 'ana.example' }]);
  const posts = await file('dry-posts.ndjson', [post(), post({ content: '\u0000' }), post()]);
  const args = [people, posts, '--dry-run', '--report', report];
  const { code, stdout } = await run(IMPORT, ...args);
  expect({ code, stdout }).toEqual({
    code: 3,
    stdout: [
      'People: 1 added, 0 already there, 0 refused.',
      'Posts: 2 added, 0 already there, 1 refused.',
      'This was a dry run: nothing was kept.',
      `1 lines were refused; ${report} has each with its reason.`,
      '',
    ].join('\n'),
  });
  expect(await count()).toEqual({ people: 0, posts: 0 });
  expect(await db.many(sql`select from audit_log`)).toEqual([]);
});

test('a second run adds nothing, and a post that was sent or deleted does not come back', async () => {
  const { report, run, count, db } = await emptyDatabase('server');
  const people = await file('twice-people.ndjson', [{ did: DID, handle: 'ana.example' }]);
  const [kept, sent, deleted] = [post(), post(), post()];
  const posts = await file('twice-posts.ndjson', [kept, sent, deleted]);
  const args = [people, posts, '--report', report];
  expect(await run(IMPORT, ...args)).toMatchObject({ code: 0 });
  await db.execute(sql`
    insert into deliveries (post_id, user_id, did, host, writes)
    select id, user_id, ${DID}, 'host', '[]' from posts where id = ${sent.id}`);
  await db.execute(sql`
    insert into audit_log (actor_name, action, entity, entity_id) values ('ana', 'postDelete', 'post', ${deleted.id})`);
  await db.execute(sql`delete from posts where id = any(${[sent.id, deleted.id]})`);
  const { code, stdout } = await run(IMPORT, ...args);
  expect([code, stdout.split('\n').slice(0, 2)]).toEqual([
    3,
    ['People: 0 added, 1 already there, 0 refused.', 'Posts: 0 added, 1 already there, 2 refused.'],
  ]);
  const reason = 'The post was deleted here';
  expect(await refused(report)).toEqual([2, 3].map((line) => ({ file: posts, line, reason })));
  expect(await count()).toEqual({ people: 1, posts: 1 });
});

test('a post that is being published is exported as PROCESSING, and the command says so', async () => {
  const { run, db } = await emptyDatabase('server');
  const people = await file('way-people.ndjson', [{ did: DID, handle: 'ana.example' }]);
  const posts = await file('way-posts.ndjson', [post(), post()]);
  await run(IMPORT, people, posts, '--report', join(folder, 'way'));
  await db.execute(sql`
    insert into deliveries (post_id, user_id, did, host, writes)
    select id, user_id, ${DID}, 'host', '[]' from posts limit 1`);
  const out = join(folder, uuidV7());
  const { code, stderr } = await run(EXPORT, '--out', out);
  expect(code).toBe(3);
  expect(stderr).toMatch(/^1 posts were being published\./);
  const statuses = (await readFile(join(out, 'posts.ndjson'), 'utf8')).match(/"status":"\w+"/g);
  expect(statuses?.toSorted()).toEqual(['"status":"PENDING"', '"status":"PROCESSING"']);
});

test('links and hashtags of a text without facets are found, and given facets stay', async () => {
  const { report, run, db } = await emptyDatabase('server');
  const people = await file('rich-people.ndjson', [{ did: DID, handle: 'ana.example' }]);
  const content = 'ü https://bloom.example/a #rain @ana.example';
  const facets = [{ index: { byteStart: 0, byteEnd: 2 } }];
  const posts = await file('rich-posts.ndjson', [
    post({ content }),
    post({ content, facets: null }),
    post({ content, facets: [] }),
    post({ content, facets }),
    post({ content, ...published('3m5q2xk7dhs2a') }),
    post({ content: 'none', thread: [{ content, embed: null }, { content, facets: null }, {}] }),
    `${JSON.stringify(post({ content, status: 'FAILED' })).slice(0, -1)}, "embed": {"n": 1.10} } `,
  ]);
  expect(await run(IMPORT, people, posts, '--report', report)).toMatchObject({ code: 0 });
  const detected = [
    {
      index: { byteStart: 3, byteEnd: 26 },
      features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://bloom.example/a' }],
    },
    {
      index: { byteStart: 27, byteEnd: 32 },
      features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'rain' }],
    },
  ];
  const order = (await readFile(posts, 'utf8')).match(/(?<="id":")[^"]+/g) ?? [];
  const rows = await db.many<{ facets: unknown; thread: unknown; embed: string | null }>(sql`
    select facets, thread, embed::text from posts order by array_position(${order}::uuid[], id)`);
  expect(rows.map((row) => row.facets)).toEqual([detected, null, [], facets, null, null, detected]);
  expect(rows[5]?.thread).toEqual([
    { content, embed: null, facets: detected },
    { content, facets: null },
    {},
  ]);
  expect(rows[6]?.embed).toBe('{"n": 1.10}');
});

test('a report is written to no file that is imported and to no folder', async () => {
  const { run, count } = await emptyDatabase('server');
  const people = await file('input-people.ndjson', [{ did: DID, handle: 'ana.example' }]);
  const posts = await file('input-posts.ndjson', [post()]);
  const alias = join(folder, 'alias.ndjson');
  await link(people, alias);
  const text = await readFile(posts, 'utf8');
  const refusals: [string, string][] = [
    [posts, `--report must not be ${posts}, which is to be imported.`],
    [alias, `--report must not be ${people}, which is to be imported.`],
    [folder, `--report must be a file, and ${folder} is a folder.`],
    [join(folder, 'no', 'report'), `There is no folder ${join(folder, 'no')} for the report.`],
  ];
  for (const [report, sentence] of refusals) {
    const { code, stderr } = await run(IMPORT, people, posts, '--dry-run', '--report', report);
    expect([code, stderr]).toEqual([2, `${sentence}\nSee npm run import -- --help\n`]);
  }
  expect(await readFile(posts, 'utf8')).toBe(text);
  expect(await count()).toEqual({ people: 0, posts: 0 });
});

test('a file that cannot be written is said in one sentence', async () => {
  const { run } = await emptyDatabase('server');
  const people = await file('small-people.ndjson', [{ did: DID, handle: 'ana.example' }]);
  await run(IMPORT, people, '--report', join(folder, 'small'));
  const { code, stderr } = await run(EXPORT, '--out', people);
  expect([code, stderr]).toEqual([
    1,
    `The system refused: EEXIST: file already exists, mkdir '${people}'. Nothing was changed.\n`,
  ]);
});

test('a line is no repetition of one that was refused', async () => {
  const { report, run, count } = await emptyDatabase('server');
  const [taken, other] = [uuidV7(), 'did:plc:otherotherotherotherothe'];
  const people = await file('again-people.ndjson', [
    { id: taken, did: DID, handle: 'ana.example' },
    { id: taken, did: other, handle: 'bea.example' },
    { did: other, handle: 'bea.example' },
    { did: other, handle: 'bea.example' },
  ]);
  await run(IMPORT, people, '--report', report);
  const { stdout } = await run(IMPORT, people, '--report', report);
  expect(stdout).toMatch(/^People: 0 added, 3 already there, 1 refused\./);
  const again = post();
  const posts = await file('again-posts.ndjson', [
    { ...again, did: 'did:plc:unknown' },
    again,
    again,
  ]);
  const imported = await run(IMPORT, people, posts, '--report', report);
  expect(imported.stdout).toMatch(/^Posts: 1 added, 1 already there, 1 refused\./m);
  expect(await count()).toEqual({ people: 2, posts: 1 });
});
