import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EITHER } from '../../test/app.ts';
import { tableContents } from '../../test/table-contents.ts';
import { HOST } from '../audit/audit.store.ts';
import { sql } from '../db/sql.ts';
import * as member from '../features/me/member-data.ts';
import { cancelPost, deletePost as deleteMyPost } from '../features/me/posts.store.ts';
import { ACTIONS } from '../features/nouns.ts';
import { deletePost } from '../features/posts/posts.store.ts';
import { createRetryCheck } from '../features/posts/retry.ts';
import { cidOfRecord, newRkey } from '../network/identity.ts';
import { createLocalNetwork } from '../network/local/local-network.ts';
import type { Network, NetworkResponse, PostRecord } from '../network/network.ts';
import type { Fault } from '../network/testing/local-host.ts';
import { claimPosts } from './claim.ts';
import { confirmAccounts } from './confirm.ts';
import { createHosts } from './hosts.ts';
import { journal } from './journal.ts';
import { responded, silent } from './testing/responses.ts';
import { OPTIONS, given, httpNetwork, openStage } from './testing/stage.ts';
import type { Stage, StagedUser } from './testing/stage.ts';

describe('confirm', () => {
  const HOST = 'https://pds.example';

  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage(EITHER[0] ?? 'server');
  });
  afterEach(() => stage.close());

  /** The DIDs that the hosts were asked for. */
  async function look(response: NetworkResponse, named: string | null = HOST): Promise<string[]> {
    const asked: string[] = [];
    const hosts = createHosts({
      concurrency: 10,
      now: Date.now,
      limitsOf: () => ({ concurrency: 10, perSecond: () => Infinity }),
    });
    const network = {
      findHost: async () => named,
      async getRepoStatus(_: string, did: string) {
        asked.push(did);
        return response;
      },
    };
    await confirmAccounts({ db: stage.db, network, hosts });
    return asked;
  }

  async function switchedOff(state: string): Promise<StagedUser> {
    const user = await stage.addUser(HOST);
    await stage.db.execute(sql`update accounts set state = ${state} where user_id = ${user.id}`);
    return user;
  }

  async function addHeld(user: StagedUser, hold: string): Promise<void> {
    const id = await stage.addPost(user, -1000);
    await stage.db.execute(
      sql`update posts set hold = ${hold}, claim_at = 'infinity' where id = ${id}`,
    );
  }

  const stateOf = ({ id }: StagedUser) =>
    stage.db.one(sql`select state from accounts where user_id = ${id}`);
  const waiting = () =>
    stage.db.many(sql`select hold, claim_at = 'infinity' as "isHeld" from posts order by hold`);

  test('posts of an account that was switched off go out once its host says that it is active', async () => {
    const user = await switchedOff('DEACTIVATED');
    await addHeld(user, 'account_off');
    const refusals = [
      responded(200, null, { active: false, status: 'deactivated' }),
      responded(200, null, {}),
      responded(400, 'RepoNotFound'),
      responded(502, null, { active: true }),
      silent('timeout'),
    ];
    for (const response of refusals) {
      expect(await look(response)).toEqual([user.did]);
      expect(await stateOf(user)).toEqual({ state: 'DEACTIVATED' });
    }
    expect(await waiting()).toEqual([{ hold: 'account_off', isHeld: true }]);
    await look(responded(200, null, { active: true }));
    expect(await stateOf(user)).toEqual({ state: 'CONNECTED' });
    expect(await waiting()).toEqual([{ hold: null, isHeld: false }]);
  });

  test('an account that the directory names on another host has to be connected there', async () => {
    const user = await switchedOff('DEACTIVATED');
    await addHeld(user, 'account_off');
    await addHeld(user, 'user_off');
    await look(responded(200, null, { active: false }), null);
    expect(await stateOf(user)).toEqual({ state: 'DEACTIVATED' });
    expect(await look(responded(200, null, { active: false }), 'https://new.example')).toEqual([]);
    expect(await stateOf(user)).toEqual({ state: 'RECONNECT' });
    expect(await stage.readPosts()).toMatchObject([
      { hold: 'reconnect', cause: 'moved', errorMessage: expect.stringContaining(HOST) },
      { hold: 'user_off', cause: null },
    ]);
  });

  test('a host is asked only about an account that posts wait for', async () => {
    await switchedOff('DEACTIVATED');
    const blocked = await switchedOff('TAKEN_DOWN');
    await addHeld(blocked, 'user_off');
    const disconnected = await switchedOff('RECONNECT');
    await addHeld(disconnected, 'reconnect');
    expect(await look(responded(200, null, { active: true }))).toEqual([]);
    expect(await stateOf(disconnected)).toEqual({ state: 'RECONNECT' });
  });
});

describe('deleted', () => {
  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage('server');
  });
  afterEach(() => stage.close());

  const record: PostRecord = {
    $type: 'app.bsky.feed.post',
    text: 'Deleted',
    createdAt: '2026-11-16T12:00:00.000Z',
  };
  const newWrite = () => ({ rkey: newRkey(), cid: cidOfRecord(record), record });

  async function claimOne() {
    await stage.addPost(await stage.addUser(null), 0);
    const claim = await claimPosts(stage.db, { ...OPTIONS, defaultHost: 'local' });
    return given(claim.posts[0]);
  }

  /** Its worker dies with the post on the wire, which an administrator deletes meanwhile. */
  async function deleteOnTheWire(isWritten: boolean): Promise<string> {
    const { db } = stage;
    const network = createLocalNetwork(db);
    const post = await claimOne();
    const write = newWrite();
    await journal(db, [{ post, writes: [write] }]);
    if (isWritten) await network.putRecord(post, write);
    await db.execute(sql`delete from posts where id = ${post.id}`);
    // As if 15 seconds had passed.
    await db.execute(sql`update deliveries set look_at = now() where post_id = ${post.id}`);
    return `at://${post.did}/app.bsky.feed.post/${write.rkey}`;
  }

  const entries = () =>
    stage.db.many(
      sql`select action, after ->> 'at_uri' as uri from audit_log where action = 'postPublishedAfterDelete'`,
    );
  const journalled = () => stage.db.one(sql`select outcome, at_uri, look_at from deliveries`);

  test('deleted on the wire, its worker dead: another one finds it public and says so', async () => {
    const uri = await deleteOnTheWire(true);
    await stage.startEngine(createLocalNetwork(stage.db));
    await expect.poll(entries).toEqual([{ action: 'postPublishedAfterDelete', uri }]);
    expect(await journalled()).toEqual({ outcome: 'already', at_uri: uri, look_at: null });
  });

  test('deleted before it arrived, its worker dead: its journal entry is settled', async () => {
    await deleteOnTheWire(false);
    await stage.startEngine(createLocalNetwork(stage.db));
    await expect.poll(journalled).toEqual({ outcome: 'unknown', at_uri: null, look_at: null });
    expect(await entries()).toEqual([]);
  });

  test('deleted while its record is journalled: the record is not kept', async () => {
    const { db } = stage;
    const post = await claimOne();
    const journalling = await db.transaction(async (tx) => {
      await tx.execute(sql`delete from posts where id = ${post.id}`);
      const entries = [{ post, writes: [newWrite()] }];
      expect((await journal(db, entries, 'skip')).size).toBe(0);
      return { done: journal(db, entries) };
    });
    expect((await journalling.done).size).toBe(0);
    expect(await db.many(sql`select from deliveries`)).toEqual([]);
  });

  test('deleted while it is prepared: it is not sent, and its texts are not kept', async () => {
    const { db } = stage;
    const network = createLocalNetwork(db);
    const { id: userId, did } = await stage.addUser(null);
    const parent = newWrite();
    await network.putRecord({ userId, did, host: 'local' }, parent);
    const replyTo = `at://${did}/app.bsky.feed.post/${parent.rkey}`;
    const id = await stage.addPost(await stage.addUser(null), 3_600_000);
    await db.execute(
      sql`update posts set reply_to = ${replyTo}, scheduled_at = now() where id = ${id}`,
    );
    const sent: string[] = [];
    const engine = await stage.startEngine({
      ...network,
      async getRecord(...about) {
        await db.execute(sql`delete from posts where id = ${id}`);
        return network.getRecord(...about);
      },
      async putRecord(account, write) {
        sent.push(write.rkey);
        return network.putRecord(account, write);
      },
    });
    await expect.poll(() => db.many(sql`select from posts`)).toEqual([]);
    await engine.stop();
    expect(sent).toEqual([]);
    expect(await db.many(sql`select from deliveries`)).toEqual([]);
    expect(stage.logged.filter((line) => line.includes('broke off'))).toEqual([]);
  });
});

describe('deleted texts', () => {
  const MARKER = 'Xylophonkonzert';

  let stage: Stage;
  beforeEach(async () => {
    stage = await openStage('server');
  });
  afterEach(() => stage.close());

  type Doomed = { id: string; userId: string };

  const DELETIONS: Record<string, (post: Doomed) => Promise<unknown>> = {
    'by its member': async ({ id, userId }) => {
      await cancelPost(stage.db, userId, id);
      expect(await deleteMyPost(stage.db, userId, id)).toBe(true);
    },
    'by an administrator': async ({ id }) => {
      const audit = { by: HOST, action: 'postDelete' } as const;
      expect(await deletePost(stage.db, id, null, audit)).toBe(true);
    },
    'by a change of many': ({ id }) => stage.db.execute(ACTIONS.postDelete.change([id], null)),
    'with its user': ({ id, userId }) =>
      stage.db.transaction(async (tx) => {
        await member.lockHandle(tx, userId);
        await cancelPost(tx, userId, id);
        expect(await member.deletePosts(tx, userId)).toBe(false);
        await member.deletePerson(tx, userId);
      }),
    'with its user, by SQL': ({ userId }) =>
      stage.db.execute(sql`delete from users where id = ${userId}`),
  };

  /** A host may repeat what it refuses. */
  const REFUSED: NetworkResponse = {
    kind: 'response',
    status: 400,
    error: 'InvalidRecord',
    message: `No ${MARKER} here`,
    body: null,
    retryAt: null,
  };
  const CUT: NetworkResponse = { kind: 'no_response', reason: 'cut', status: null };

  type Moment = {
    /** Where it is deleted; where none is named, after its end. */
    at?: 'claimed' | 'journalled' | 'sent' | 'written';
    /** Instead of the local network's. */
    response?: NetworkResponse;
  };
  const UNDER_WAY: Record<string, Moment> = {
    'between claim and journal': { at: 'claimed' },
    'between journal and call': { at: 'journalled' },
    'during a call that publishes it': { at: 'sent' },
    'during a call that has published it': { at: 'written' },
    'during a call that is refused': { at: 'sent', response: REFUSED },
    'during a call without a response': { at: 'sent', response: CUT },
  };
  const ENDS: Record<string, Moment> = {
    'it was published': {},
    'it was refused': { response: REFUSED },
    'an unknown outcome': { response: CUT },
  };

  const KEPT_TEXTS = new Set(['between claim and journal', 'during a call that is refused']);

  /** A reply, so that its preparation asks the network. */
  async function stagePost(): Promise<Doomed> {
    const parent: PostRecord = {
      $type: 'app.bsky.feed.post',
      text: 'Parent',
      createdAt: '2026-11-16T12:00:00.000Z',
    };
    const { id: parentId, did } = await stage.addUser(null);
    const rkey = newRkey();
    const account = { userId: parentId, did, host: 'local' };
    const write = { rkey, cid: cidOfRecord(parent), record: parent };
    await createLocalNetwork(stage.db).putRecord(account, write);
    const user = await stage.addUser(null);
    const id = await stage.addPost(user, 3_600_000, { content: `A ${MARKER}` });
    await stage.db.execute(sql`
    update posts set reply_to = ${`at://${did}/app.bsky.feed.post/${rkey}`} where id = ${id}`);
    return { id, userId: user.id };
  }

  function networkThat(remove: () => Promise<unknown>, { at, response }: Moment): Network {
    const local = createLocalNetwork(stage.db);
    let isDone = false;
    const when = async (moment: Moment['at']) => {
      if (moment !== at || isDone) return;
      isDone = true;
      await remove();
    };
    return {
      ...local,
      async getRecord(...about) {
        await when('claimed');
        return local.getRecord(...about);
      },
      refreshSession: () => when('journalled'),
      async putRecord(...about) {
        await when('sent');
        const written = response ?? (await local.putRecord(...about));
        await when('written');
        return written;
      },
    };
  }

  const unfailed = () => stage.db.many(sql`select from posts where status <> 'FAILED'`);

  describe.each(Object.entries(DELETIONS))('a post deleted %s leaves no text', (way, remove) => {
    test('before its claim', async () => {
      const post = await stagePost();
      await remove(post);
      expect(await tableContents(stage.db)).not.toContain(MARKER);
    });

    // What deletes it matters little: each meets the moments that left a text behind.
    const moments = Object.entries(UNDER_WAY).filter(
      ([name]) => way === 'by an administrator' || KEPT_TEXTS.has(name),
    );
    test.each(moments)('%s', async (_, moment) => {
      const post = await stagePost();
      const network = networkThat(() => remove(post), moment);
      const engine = await startOn(network, post);
      await expect.poll(unfailed).toEqual([]);
      expect(await textsLeft(engine, network)).not.toContain(MARKER);
    });

    test.each(Object.entries(ENDS))('after %s', async (_, moment) => {
      const post = await stagePost();
      const network = networkThat(() => remove(post), moment);
      const engine = await startOn(network, post);
      const ended = sql`select from posts where status in ('COMPLETED', 'FAILED')`;
      await expect.poll(() => stage.db.many(ended)).toHaveLength(1);
      await remove(post);
      expect(await textsLeft(engine, network)).not.toContain(MARKER);
    });
  });

  describe('what is left of a journal entry whose post is deleted', () => {
    test.each([
      [
        'keys that are texts',
        '[{"rkey":"3k","cid":"bafy","record":{}}]',
        '[{"rkey":"3k","cid":"bafy"}]',
      ],
      [
        'no text in place of a CID',
        `[{"rkey":["${MARKER}"],"cid":{"a":"${MARKER}"}}]`,
        '[{"rkey":null,"cid":null}]',
      ],
      ['no more parts than a post has', `[${'{},'.repeat(40)}{}]`, `[${'x,'.repeat(24)}x]`],
    ])('%s', async (_, writes, left) => {
      const row = await stage.db.one<{ rest: unknown }>(
        sql`select without_records(${writes}::json) as rest`,
      );
      const expected = left.replaceAll('x', '{"rkey":null,"cid":null}');
      expect(row.rest).toEqual(JSON.parse(expected));
    });
  });

  type Engine = Awaited<ReturnType<Stage['startEngine']>>;

  /** With the post due. */
  async function startOn(network: Network, { id }: Doomed): Promise<Engine> {
    const engine = await stage.startEngine(network, { retryWindowMs: 0 });
    await stage.db.execute(sql`update posts set scheduled_at = now() where id = ${id}`);
    return engine;
  }

  /** In all tables, when nothing is under way any more. */
  async function textsLeft(engine: Engine, network: Network): Promise<string> {
    await engine.stop();
    // What its worker has not settled, another one looks at.
    await stage.db.execute(sql`update deliveries set look_at = now() where look_at is not null`);
    await stage.startEngine(network, { retryWindowMs: 0 });
    const looks = () => stage.db.many(sql`select from deliveries where look_at is not null`);
    await expect.poll(looks).toEqual([]);
    return tableContents(stage.db, ['local_records']);
  }
});

describe('restored', () => {
  const HOUR = 3_600_000;

  let stage: Stage;
  let host: Awaited<ReturnType<Stage['startHost']>>;
  let user: StagedUser;
  let fault: Fault;
  let asked: string[];
  beforeEach(async () => {
    fault = null;
    asked = [];
    stage = await openStage('server');
    host = await stage.startHost({
      fault(path) {
        if (path.includes('getRecord')) asked.push(path);
        return fault;
      },
    });
    user = await stage.addUser(host.url);
  });
  afterEach(() => stage.close());

  const start = (calls: Partial<Network> = {}) =>
    stage.startEngine({ ...httpNetwork([host]), ...calls });
  const states = async () =>
    (await stage.readPosts()).map(({ id, status, cause }) => [id, status, cause]);

  /** As after a restore of what was before the posts went out. */
  async function restore(): Promise<void> {
    await stage.db.execute(sql`delete from posts`);
    await stage.db.execute(sql`delete from deliveries`);
    await stage.db.execute(sql`insert into posts select * from before`);
  }
  /** Everything is so much later. */
  const age = (ms: number) =>
    stage.db.execute(sql`
    update posts set scheduled_at = scheduled_at - ${ms} * interval '1 millisecond',
      claim_at = claim_at - ${ms} * interval '1 millisecond'`);
  const becomeAnother = () => stage.db.execute(sql`update engine_database set identity = 'before'`);

  async function publish(...posts: string[]): Promise<void> {
    await stage.db.execute(sql`create table if not exists before as select * from posts`);
    const engine = await start();
    await expect.poll(states).toEqual(posts.map((id) => [id, 'COMPLETED', null]));
    await engine.stop();
  }

  const thread = sql.json([{ content: 'And a second part', languages: ['en'] }]);

  test('what went out before its delivery was lost is found under its keys, not sent again', async () => {
    const single = await stage.addPost(user, 0);
    const long = await stage.addPost(user, 1);
    await stage.db.execute(sql`update posts set thread = ${thread} where id = ${long}`);
    await publish(single, long);
    await restore();
    // So that both carry another time when they are sent again.
    await age(120_000 - 5_000);
    await publish(single, long);
    expect(host.report().arrivals.length).toBe(3);
    expect(host.report().duplicates).toEqual([]);
  });

  test('after a restore, what is too late by now is asked for: found it is completed, else it fails', async () => {
    const sent = await stage.addPost(user, 0);
    await publish(sent);
    await restore();
    const unsent = await stage.addPost(user, 1);
    await age(2 * HOUR);
    await becomeAnother();
    const engine = await start();
    await expect.poll(states).toEqual([
      [sent, 'COMPLETED', null],
      [unsent, 'FAILED', 'too_late'],
    ]);
    await engine.stop();
    expect(host.report().arrivals.map(({ text }) => text)).toEqual([sent]);
    expect(asked.length).toBe(2);
    expect(stage.logged.filter((line) => line.includes('The database was restored'))).toHaveLength(
      1,
    );
  });

  test('what was claimed to be asked for, and was not, is as late as before', async () => {
    const unsent = await stage.addPost(user, 0);
    await age(2 * HOUR);
    await becomeAnother();
    // Its worker died meanwhile, and a restore may bring back any attempt.
    await stage.db.execute(sql`
    update posts set status = 'PROCESSING', attempt = 3, claim_at = now() - interval '1 second'`);
    await start();
    await expect.poll(states).toEqual([[unsent, 'FAILED', 'too_late']]);
    expect(asked.length).toBe(1);
    expect(host.report().arrivals).toEqual([]);
  });

  test('a host that says neither leaves the decision to the author', async () => {
    const sent = await stage.addPost(user, 0);
    await publish(sent);
    await restore();
    await age(2 * HOUR);
    await becomeAnother();
    const away = { status: 400, error: 'InvalidRequest', message: 'Could not locate record' };
    const response = { kind: 'response', ...away, body: null, retryAt: null } as const;
    await start({ getRecord: async () => response });
    await expect.poll(states).toEqual([[sent, 'FAILED', 'unknown_outcome']]);
  });

  test('a post that is gone in part is asked for before it fails', async () => {
    const sent = await stage.addPost(user, 0);
    await publish(sent);
    await restore();
    await becomeAnother();
    const gone = sql.json({ images: [{ key: 'uploads/gone.png', alt: '' }] });
    await stage.db.execute(sql`update posts set embed = ${gone}`);
    await publish(sent);
    expect(host.report().arrivals.length).toBe(1);
  });

  test('a restore that nobody noticed doubles nothing either when the post is retried', async () => {
    const sent = await stage.addPost(user, 0);
    await publish(sent);
    await restore();
    await age(2 * HOUR);
    const engine = await start();
    await expect.poll(states).toEqual([[sent, 'FAILED', 'too_late']]);
    await engine.stop();
    const requireRetryable = createRetryCheck((...record) =>
      httpNetwork([host]).getRecord(...record),
    );
    await expect(requireRetryable(stage.db, sent)).rejects.toMatchObject({
      code: 'post_already_published',
    });
    expect(given((await stage.readPosts())[0]).atUri).toMatch(/^at:/);
  });

  test('a host that is silent after a restore keeps its posts waiting, not failed', async () => {
    const sent = await stage.addPost(user, 0);
    await publish(sent);
    await restore();
    await age(2 * HOUR);
    await becomeAnother();
    fault = 'refuse_before';
    await start();
    const post = async () => given((await stage.readPosts())[0]);
    await expect.poll(post).toMatchObject({ status: 'PENDING', hold: 'host_down' });
    fault = null;
    await expect.poll(states, { timeout: 60_000 }).toEqual([[sent, 'COMPLETED', null]]);
    expect(host.report().arrivals.length).toBe(1);
  });

  test('after plain downtime no host is asked', async () => {
    const unsent = await stage.addPost(user, 0);
    await age(2 * HOUR);
    await start();
    await expect.poll(states).toEqual([[unsent, 'FAILED', 'too_late']]);
    expect(asked).toEqual([]);
  });
});
