import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createHeaderNetwork } from '../../src/network/testing/header-network.ts';
import { httpResponse, startScriptedHost } from '../../src/network/testing/scripted-host.ts';
import { createLocalNetwork } from '../../src/network/local/local-network.ts';
import { given, openStage } from './stage.ts';
import type { Stage } from './stage.ts';

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
