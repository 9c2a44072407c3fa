import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Sql, sql } from '../db/sql.ts';
import { createLocalNetwork } from '../network/local/local-network.ts';
import { createHeaderNetwork } from '../network/testing/header-network.ts';
import { httpResponse, startScriptedHost } from '../network/testing/scripted-host.ts';
import { claimPosts } from './claim.ts';
import { OPTIONS, given, openStage } from './testing/stage.ts';
import type { Stage } from './testing/stage.ts';

const card = (more: string) =>
  `{"$type":"app.bsky.embed.external","external":{"uri":"https://a.example/"${more}}}`;

const facet = (start: string, features: string) =>
  `[{"index":{"byteStart":${start},"byteEnd":4},"features":${features}}]`;

const images = (list: string) => `{"$type":"app.bsky.embed.images","images":${list}}`;

const nested = (open: string, close: string) => `${open.repeat(3_000)}1${close.repeat(3_000)}`;

describe('poison', () => {
  /** A cause and a part of its sentence, or null: the post is legal and goes out. */
  type End = [cause: string, says: string] | null;

  const RKEY = '3jzfcijpj2z2a';
  const TEXT = '"$type":"app.bsky.feed.post","createdAt":"2026-11-16T12:00:00.000Z","text":';
  const recordOf = (more: string, text = '"Hello"') => `{${TEXT}${text}${more}}`;
  const writeOf = (record: string, rkey = `"${RKEY}"`, more = '') =>
    `[{"rkey":${rkey}${more},"record":${record}}]`;

  const picture =
    '{"alt":"","image":{"$type":"blob","ref":{"$link":1e999},"mimeType":"image/png","size":1e999}}';
  const LINK = '[{"$type":"app.bsky.richtext.facet#link","uri":"https://a.example/"}]';

  /** Columns of posts, whose checks let any list or object through. */
  const POSTS: [what: string, columns: Record<string, string>, end: End][] = [
    ['a facet from 1e999', { facets: facet('1e999', LINK) }, null],
    ['a facet from 1.5', { facets: facet('1.5', LINK) }, null],
    ['a facet from a text', { facets: facet('"0"', LINK) }, null],
    ['features that are null', { facets: facet('0', 'null') }, null],
    ['features that are numbers', { facets: facet('0', '[1e999,null]') }, null],
    ['facets that are numbers', { facets: '[1e999,null,"a",[[]]]' }, null],
    ['facets in lists', { facets: nested('[', ']') }, null],
    ['an embed of nothing', { embed: '{}' }, null],
    ['an embed in objects', { embed: nested('{"a":', '}') }, null],
    ['media in media', { embed: nested('{"media":', '}') }, null],
    ['an unknown embed', { embed: '{"$type":"x"}' }, ['invalid_record', 'x is not supported']],
    ['pictures that are no list', { embed: images('1e999') }, ['invalid_record', 'not a list']],
    ['a picture without a key', { embed: images('[{}]') }, ['media_missing', 'object store']],
    ['a picture that is null', { embed: images('[null]') }, ['media_missing', 'object store']],
    ['a picture with a number for a key', { embed: images('[{"key":7}]') }, ['media_missing', '']],
    ['a picture of 1e999 bytes', { embed: images(`[${picture}]`) }, ['media_missing', '']],
    ['100,000 pictures', { embed: images(`[${'{},'.repeat(99_999)}{}]`) }, ['too_many_images', '']],
    ['a card of 1.9 MB', { embed: card(`,"title":"${'a'.repeat(1_900_000)}"`) }, null],
    ['a card with a thumb of nothing', { embed: card(',"thumb":{}') }, ['media_missing', '']],
    ['a card with a number', { embed: card(',"title":1e999,"description":[]') }, null],
    ['a card that is a text', { embed: '{"external":"a"}' }, ['invalid_record', 'not readable']],
    [
      'a quote of a number',
      { embed: '{"record":{"uri":1e999}}' },
      ['invalid_record', 'no address'],
    ],
    [
      'a quote of nonsense',
      { embed: '{"record":{"uri":"at://"}}' },
      ['invalid_record', 'not the add'],
    ],
    ['labels that are numbers', { embed: '{"labels":[1e999,{"val":1.5}]}' }, null],
    ['a thread of numbers', { thread: '[1e999,null]' }, ['invalid_record', 'has no text']],
    ['a thread of lists', { thread: '[[]]' }, ['invalid_record', 'has no text']],
    ['a thread without text', { thread: '[{"content":1e999}]' }, ['invalid_record', 'has no text']],
    [
      'a thread with anything beside its text',
      { thread: '[{"content":"a","facets":"x","embed":[],"languages":{"a":1e999}}]' },
      null,
    ],
    [
      'a thread with 1.9 MB of text',
      { thread: `[{"content":"${'a'.repeat(1_900_000)}"}]` },
      ['too_long', ''],
    ],
    ['languages that are none', { languages: '{NULL,"","x y"}' }, null],
    ['languages in lists', { languages: '{{en,de},{fr,ja}}' }, null],
    ['a reply to nonsense', { reply_to: 'nonsense' }, ['invalid_record', 'not the address']],
    [
      'a reply to a bad DID',
      { reply_to: 'at://did:x/app.bsky.feed.post/3k' },
      ['invalid_record', ''],
    ],
    [
      'a reply to nothing',
      { reply_to: `at://did:plc:a/app.bsky.feed.post/${RKEY}` },
      ['parent_gone', ''],
    ],
    ['no text at all', { content: '' }, null],
    ['10,000 characters', { content: 'a'.repeat(10_000) }, ['too_long', '']],
  ];

  /** Columns of the user and of the account. */
  const USERS: [what: string, user: { did?: string; host?: string }, end: End][] = [
    ['a DID that is none', { did: 'did:\n no DID' }, null],
    ['a host that is no address', { host: ':// no address' }, null],
    ['a host without a name', { host: '' }, null],
  ];

  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage('server');
  });
  afterEach(() => stage.close());

  type Poison = { what: string; id: string; end: End };

  /** Each between posts of others; half of them claimed already, by a worker that died. */
  async function stagePosts<Row extends readonly [what: string, about: unknown, end: End]>(
    rows: readonly Row[],
    poison: (id: string, about: Row[1], userId: string) => Promise<void>,
  ) {
    const poisons: Poison[] = [];
    const healthy: string[] = [];
    for (const [what, about, end] of rows) {
      const user = await stage.addUser(null);
      const id = await stage.addPost(user, 3_600_000);
      await poison(id, about, user.id);
      poisons.push({ what, id, end });
      healthy.push(await stage.addPost(await stage.addUser(null), 3_600_000));
    }
    await stage.db.execute(sql`update posts set scheduled_at = now() - interval '1 second'`);
    return { poisons, healthy };
  }

  const claim = () => claimPosts(stage.db, { ...OPTIONS, defaultHost: 'local' });
  const leasesEnd = () =>
    stage.db.execute(sql`update posts set claim_at = now() where claim_at < 'infinity'`);

  /** Once all have ended: what became of them otherwise than it should. */
  async function wrongEnds({ poisons, healthy }: Awaited<ReturnType<typeof stagePosts>>) {
    // Neither leases nor backoffs are waited for.
    await expect
      .poll(
        async () => {
          await leasesEnd();
          const open = (await stage.readPosts()).filter(({ status }) => status.startsWith('P'));
          return open.map(
            ({ id }) => poisons.find((poison) => poison.id === id)?.what ?? 'healthy',
          );
        },
        { timeout: 40_000, interval: 250 },
      )
      .toEqual([]);
    const posts = new Map((await stage.readPosts()).map((post) => [post.id, post]));
    const wrong = poisons.filter(({ id, end }) => {
      const { status, cause, errorMessage } = given(posts.get(id));
      if (end === null) return status !== 'COMPLETED' || cause !== null || errorMessage !== null;
      return status !== 'FAILED' || cause !== end[0] || !errorMessage?.includes(end[1]);
    });
    return [
      ...healthy.map((id) => posts.get(id)?.status).filter((status) => status !== 'COMPLETED'),
      ...wrong.map(({ what, id }) => [what, posts.get(id)]),
      ...stage.logged.filter((line) => /cannot claim|broke off/.test(line)),
    ];
  }

  describe('a post fails by itself, and the others go out:', () => {
    test.each([
      ['claimed for the first time', []],
      ['left by a worker that died', [claim]],
    ])('whatever its columns hold, %s', async (_, workers) => {
      const staged = await stagePosts(POSTS, async (id, columns) => {
        const {
          content,
          facets = null,
          embed = null,
          languages = '{}',
          thread = null,
          ...rest
        } = columns;
        await stage.db.execute(sql`
        update posts set content = coalesce(${content ?? null}, content), facets = ${facets}::jsonb,
          embed = ${embed}::jsonb, languages = ${languages}::text[], thread = ${thread}::jsonb,
          reply_to = ${rest.reply_to ?? null} where id = ${id}`);
      });
      for (const work of workers) expect((await work()).posts).toHaveLength(2 * POSTS.length);
      await leasesEnd();
      await stage.startEngine(createLocalNetwork(stage.db));
      expect(await wrongEnds(staged)).toEqual([]);
    });

    test('whatever takes the database too long together', async () => {
      const many = Array.from({ length: 15 }, () => ['slow', null, null] as const);
      const staged = await stagePosts(many, async () => {});
      await stage.db.execute(sql`
      create function claim_slowly() returns trigger language plpgsql as $$
      begin perform pg_sleep(0.05); return new; end $$`);
      await stage.db.execute(sql`
      create trigger slow before update on posts for each row when (new.attempt > old.attempt)
      execute function claim_slowly()`);
      // All 30 take 1.5 s, and a few of them less than this.
      await stage.startEngine(createLocalNetwork(stage.db), {}, { statement_timeout: 700 });
      const wrong = await wrongEnds(staged);
      expect(wrong.filter((line) => !JSON.stringify(line).includes('cannot claim'))).toEqual([]);
    });

    test('whatever its user and account hold', async () => {
      const staged = await stagePosts(USERS, async (_, { did, host }, userId) => {
        await stage.db.execute(sql`
        update users set did = coalesce(${did ?? null}, did) where id = ${userId}`);
        if (host !== undefined) {
          await stage.db.execute(
            sql`insert into accounts (user_id, host) values (${userId}, ${host})`,
          );
        }
      });
      await stage.startEngine(createLocalNetwork(stage.db));
      expect(await wrongEnds(staged)).toEqual([]);
    });

    const REFUSALS: [way: string, check: (id: string) => string, says: string][] = [
      [
        'claimed',
        (id) => `posts add check (id <> '${id}' or status <> 'PROCESSING')`,
        'violates check',
      ],
      [
        'journalled',
        (id) => `deliveries add check (post_id <> '${id}')`,
        'A fault of this service',
      ],
      [
        'settled',
        (id) => `posts add check (id <> '${id}' or status <> 'COMPLETED')`,
        'A fault of this',
      ],
    ];
    test.each(REFUSALS)('whatever the database refuses when it is %s', async (way, check, says) => {
      const rows = [[way, null, ['internal', says]]] satisfies [string, null, End][];
      const staged = await stagePosts(rows, async (id) => {
        await stage.db.execute(new Sql([`alter table ${check(id)}`], []));
      });
      await stage.startEngine(createLocalNetwork(stage.db));
      expect(await wrongEnds(staged)).toEqual([]);
    });

    test('or stays and is named, where the database refuses that as well', async () => {
      const { poisons, healthy } = await stagePosts([['stays', null, null]], async (id) => {
        const check = `posts add check (id <> '${id}' or status = 'PENDING')`;
        await stage.db.execute(new Sql([`alter table ${check}`], []));
      });
      await stage.startEngine(createLocalNetwork(stage.db));
      const { id } = given(poisons[0]);
      const named = () => stage.logged.filter((line) => line.includes('can neither be claimed'));
      await expect.poll(() => named()[0]).toContain(id);
      const statuses = async () =>
        (await stage.readPosts()).filter((post) => healthy.includes(post.id)).map((p) => p.status);
      await expect.poll(statuses).toEqual(['COMPLETED']);
    });

    test('the second with one record key, also when it was cancelled', async () => {
      const user = await stage.addUser(null);
      const ids = await Promise.all(
        ['first', 'failed', 'cancelled'].map(() => stage.addPost(user, 0)),
      );
      await expect.poll(async () => (await claim()).posts.length).toBe(ids.length);
      for (const id of ids) {
        await stage.db.execute(sql`
        insert into deliveries (post_id, user_id, did, host, writes)
        values (${id}, ${user.id}, ${user.did}, 'local', ${writeOf(recordOf('', `"${id}"`))}::json)`);
      }
      const [first = '', failed = '', cancelled = ''] = ids;
      await stage.db.execute(
        sql`update posts set claim_at = now() + interval '1 hour' where id <> ${first}`,
      );
      await stage.db.execute(sql`update posts set claim_at = now() where id = ${first}`);
      await stage.startEngine(createLocalNetwork(stage.db));
      const read = async (id: string) =>
        stage.db.one(
          sql`select status, cause, error_msg as says, claim_at from posts where id = ${id}`,
        );
      await expect.poll(() => read(first)).toMatchObject({ status: 'COMPLETED' });
      await stage.db.execute(sql`update posts set status = 'CANCELLED' where id = ${cancelled}`);
      await leasesEnd();
      await expect
        .poll(() => read(failed))
        .toEqual({
          status: 'FAILED',
          cause: 'invalid_record',
          says: 'The network does not accept the post: another post of the user has its record key',
          claim_at: null,
        });
      await expect
        .poll(() => read(cancelled))
        .toMatchObject({ status: 'CANCELLED', claim_at: null });
    });
  });
});

/** After this time an unclear outcome is no longer retried. */
const RETRY_MS = 1_000;
const TEN_MEGABYTES = 10_000_000;

const json = (status: number, body: object) => httpResponse(status, JSON.stringify(body));
const refusal = (error: string, message: string) => json(400, { error, message });

type Case = {
  what: string;
  /** What the host does to every request. */
  host: (socket: Socket) => void;
  post?: { embed?: unknown; replyTo?: string };
  /** Of the first attempt that made a call to write. */
  error: string | null;
  ends: { cause: string; errorMessage: string };
};

const UNKNOWN = {
  cause: 'unknown_outcome',
  errorMessage: 'The post was sent, but {host} never confirmed it',
};
const CASES: Case[] = [
  {
    what: 'a record that the host refuses',
    host: (socket) => void socket.write(refusal('InvalidRecord', 'text must not be empty')),
    error: 'InvalidRecord: text must not be empty',
    ends: {
      cause: 'invalid_record',
      errorMessage: '{host} does not accept the post: text must not be empty',
    },
  },
  {
    what: 'a picture that is missing',
    host: (socket) => void socket.write(json(200, {})),
    post: {
      embed: {
        $type: 'app.bsky.embed.images',
        images: [{ key: 'pictures/gone.png', alt: '', aspectRatio: { width: 1, height: 1 } }],
      },
    },
    error: null,
    ends: {
      cause: 'media_missing',
      errorMessage: 'The picture pictures/gone.png is not in the object store',
    },
  },
  {
    what: 'a reply to a post that is gone',
    host: (socket) => void socket.write(refusal('RecordNotFound', 'Could not locate record')),
    post: { replyTo: 'at://did:plc:someone/app.bsky.feed.post/3kgone' },
    error: null,
    ends: {
      cause: 'parent_gone',
      errorMessage:
        'The post that it replies to or quotes is gone: at://did:plc:someone/app.bsky.feed.post/3kgone',
    },
  },
  {
    what: 'a host that responds with garbage',
    host: (socket) => void socket.write('\u0000\u0001 no HTTP at all\r\n\r\n'),
    error: 'unreadable',
    ends: UNKNOWN,
  },
  {
    what: 'a host that responds with a page',
    host: (socket) => void socket.write(httpResponse(200, '<html><h1>Welcome</h1></html>')),
    error: 'unreadable',
    ends: UNKNOWN,
  },
  {
    what: 'a gateway that responds with a page',
    host: (socket) => void socket.write(httpResponse(502, '<html><h1>Bad gateway</h1></html>')),
    error: 'HTTP 502',
    ends: UNKNOWN,
  },
  {
    what: 'a host that responds with another record',
    host: (socket) => void socket.write(json(200, { uri: 7, cid: ['a'], commit: {} })),
    error: 'HTTP 200',
    ends: UNKNOWN,
  },
  {
    what: 'a host that responds with 10 MB',
    host: (socket) => void socket.write(json(200, { padding: 'a'.repeat(TEN_MEGABYTES) })),
    error: 'too_large',
    ends: UNKNOWN,
  },
  {
    what: 'a host that closes the connection without a response',
    host: (socket) => void socket.destroy(),
    error: 'cut',
    ends: UNKNOWN,
  },
  {
    what: 'a host that never responds',
    host: () => {},
    error: 'timeout',
    ends: UNKNOWN,
  },
];

const isTimeout = ({ error }: Case) => error === 'timeout';
const isUnclear = (one: Case) => one.ends === UNKNOWN && !isTimeout(one);

describe('bad input', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage('server');
  });
  afterEach(() => stage.close());

  test.each([
    ['that is final', CASES.filter(({ ends }) => ends !== UNKNOWN), {}],
    ['that is unclear', CASES.filter(isUnclear), { retryWindowMs: RETRY_MS }],
    ['that never comes', CASES.filter(isTimeout), { retryWindowMs: RETRY_MS }],
  ])('%s ends with one cause and one sentence', async (_, cases, options) => {
    // Nothing but what must time out does, however busy the machine is.
    const timeoutMs = cases.every(isTimeout) ? 500 : 60_000;
    const network = createHeaderNetwork({ timeoutMs, authorize: async () => ({}) });
    await stage.startEngine(network, options);
    const staged = await Promise.all(
      cases.map(async (one) => {
        const host = await startScriptedHost(one.host);
        stage.closeAtEnd(() => host.close());
        const user = await stage.addUser(host.url);
        const { embed = null, replyTo = null } = one.post ?? {};
        const id = await stage.addPost(user, 0, { embed, status: 'CANCELLED' });
        await stage.db.execute(
          sql`update posts set reply_to = ${replyTo}, status = 'PENDING' where id = ${id}`,
        );
        return { one, url: host.url, id };
      }),
    );
    await stage.untilOpen(0);

    const posts = new Map((await stage.readPosts()).map((post) => [post.id, post]));
    const attempts = await stage.db.many<{ post_id: string; error: string }>(
      sql`select distinct on (post_id) post_id, error from delivery_attempts order by post_id, attempt`,
    );
    const errors = new Map(attempts.map(({ post_id, error }) => [post_id, error]));
    for (const { one, url, id } of staged) {
      const { status, hold, cause, errorMessage } = given(posts.get(id));
      const error = errors.get(id) ?? null;
      expect({ what: one.what, error, status, hold, cause, errorMessage }).toEqual({
        what: one.what,
        error: one.error,
        status: 'FAILED',
        hold: null,
        cause: one.ends.cause,
        errorMessage: one.ends.errorMessage.replace('{host}', url),
      });
    }
    expect(stage.logged.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

test("the database ends the engine's connections in the middle: everything goes out, once", async () => {
  const stage = await openStage('embedded');
  onTestFinished(() => stage.close());
  await stage.startEngine(createLocalNetwork(stage.db), { leaseMs: 2_000 });
  const users = await Promise.all(Array.from({ length: 60 }, () => stage.addUser(null)));
  await Promise.all(users.map((user, index) => stage.addPost(user, 500 + index * 20)));
  const completed = async () =>
    (await stage.readPosts()).filter(({ status }) => status === 'COMPLETED').length;
  for (const enough of [5, 20, 35]) {
    await expect.poll(completed).toBeGreaterThan(enough);
    await stage.terminate('meridian-engine-listen');
    await expect.poll(() => stage.terminate('meridian-engine')).toBeGreaterThan(0);
  }
  await stage.untilOpen(0);
  expect(await completed()).toBe(users.length);
  const records = await stage.db.many(
    sql`select record ->> 'text' as id from local_records order by 1`,
  );
  const ids = await stage.db.many(sql`select id::text from posts order by 1`);
  expect(records).toEqual(ids);
});
