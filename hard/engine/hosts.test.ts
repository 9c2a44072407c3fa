import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../server/src/db/sql.ts';
import { given, openStage } from '../../server/src/engine/testing/stage.ts';
import type { Stage, StagedUser } from '../../server/src/engine/testing/stage.ts';
import { cidOfRecord } from '../../server/src/network/identity.ts';
import { POST_COLLECTION } from '../../server/src/network/network.ts';
import { createHeaderNetwork } from '../../server/src/network/testing/header-network.ts';
import type { LocalHost } from '../../server/src/network/testing/local-host.ts';
import { httpResponse, startScriptedHost } from '../../server/src/network/testing/scripted-host.ts';
import { judge, note } from '../../server/test/figures.ts';
import { percentile } from '../load/load.ts';

const GOOD_HOSTS = 17;
/** Posts of each host, one user each, due within this time; the long run has more. */
const POSTS = Number(process.env['HOST_POSTS'] ?? 4);
const SPREAD_MS = POSTS * 250;
/** Longer than posts are claimed ahead. */
const LEAD_MS = 2_000;
const HOUR_MS = 3_600_000;
const SLOW_MS = 5_000;
const LIMIT_MS = 1_000;
/** A post that cannot be sent by then fails. */
const LATE_LIMIT_MS = 20_000;
const MARK = 1.1;
/** Below this a percentile says more about timers than about hosts. */
const LEAST_MS = 20;
/** What a busy machine may make of it; a post that waits for a bad host is late by five seconds. */
const NOTICED_MS = 2_500;
/** How long a circuit stays open at first, a tenth less for the times that are measured outside. */
const OPEN_SECONDS = 4.5;
/** So many slow calls make a host slow. */
const POSTS_OF_BAD = 10;

/** Outside the ports that the system hands out: a closed one might be another test's by then. */
const NOTHING_LISTENS = 'http://127.0.0.1:2';

type Account = StagedUser & { host: string };

describe('twenty hosts, of which one is dead, one slow and one limits its callers', () => {
  let stage: Stage;
  let good: LocalHost[];
  beforeEach(async () => {
    stage = await openStage('server');
    good = await Promise.all(Array.from({ length: GOOD_HOSTS }, () => stage.startHost()));
  });
  afterEach(() => stage.close());

  const addAccounts = (host: string, count = POSTS): Promise<Account[]> =>
    Promise.all(
      Array.from({ length: count }, async () => ({ ...(await stage.addUser(host)), host })),
    );

  /** A post of every account, spread over the time. */
  async function addPosts(accounts: readonly Account[], leadMs = LEAD_MS): Promise<void> {
    await stage.db.execute(sql`delete from posts`);
    const madeFor = Date.now() + HOUR_MS;
    await Promise.all(
      accounts.map((account, index) => {
        const dueAt = madeFor + ((index % POSTS) * SPREAD_MS) / POSTS;
        return stage.addPost(account, dueAt - Date.now());
      }),
    );
    await stage.bringForward(madeFor - Date.now() - leadMs);
  }

  async function readHost(url: string) {
    return stage.db.maybeOne<{ state: string; retryAt: number | null; okAt: string | null }>(sql`
      select state, (extract(epoch from retry_at) * 1000)::float8 as "retryAt", last_ok_at as "okAt"
      from hosts where host = ${url}`);
  }

  const postsOf = async (accounts: readonly Account[]) => {
    const ids = new Set(accounts.map(({ id }) => id));
    return (await stage.readPosts()).filter(({ userId }) => ids.has(userId));
  };

  /** Returns the longest time that a look took, in milliseconds: so long the machine stood still. */
  async function untilEnded(accounts: readonly Account[]): Promise<number> {
    const looks = [performance.now()];
    const open = async () => {
      const posts = await postsOf(accounts);
      looks.push(performance.now());
      return posts.filter(({ status }) => /PENDING|PROCESSING/.test(status)).length;
    };
    await expect.poll(open).toBe(0);
    return Math.max(...looks.slice(1).map((at, index) => at - (looks[index] ?? at)));
  }

  test('the other seventeen do not notice, and the posts of the three end as defined', async () => {
    const hosts = [...good];
    const network = createHeaderNetwork({
      authorize: async (account) =>
        hosts.find(({ url }) => url === account.host)?.authorize(account) ?? {},
    });
    await stage.startEngine(network, {
      hostConcurrency: 8,
      lateLimitMs: LATE_LIMIT_MS,
    });
    const accounts = (await Promise.all(good.map(({ url }) => addAccounts(url)))).flat();
    // The first posts open the sessions and load what is loaded with the first call.
    await addPosts(accounts, -SPREAD_MS);
    await untilEnded(accounts);
    await addPosts(accounts);
    await untilEnded(accounts);
    const latenessOf = async () =>
      (await postsOf(accounts)).map(({ latenessMs }) => given(latenessMs ?? undefined));
    const alone = await latenessOf();

    const dead = NOTHING_LISTENS;
    const slow = await stage.startHost({ delayMs: SLOW_MS });
    const limit = await startLimitingHost(stage);
    const [ofDead, ofSlow, ofLimit] = [
      await addAccounts(dead, POSTS_OF_BAD),
      await addAccounts(slow.url, POSTS_OF_BAD),
      await addAccounts(limit.url, POSTS_OF_BAD),
    ];
    hosts.push(slow);
    for (const account of ofSlow) await slow.authorize(account);
    await addPosts([...accounts, ...ofDead, ...ofSlow, ...ofLimit]);

    const stillMs = await untilEnded(accounts);
    const beside = await latenessOf();
    expect((await postsOf(accounts)).map(({ status }) => status)).toEqual(
      accounts.map(() => 'COMPLETED'),
    );
    expect(isNoticed(alone, beside, stillMs)).toBe(false);

    // The states are reported with the next heartbeat.
    await expect.poll(async () => (await readHost(dead))?.state).toBe('DOWN');
    await untilEnded(ofSlow);
    await untilEnded(ofLimit);
    for (const post of [...(await postsOf(ofSlow)), ...(await postsOf(ofLimit))]) {
      expect(post).toMatchObject({ status: 'COMPLETED', cause: null, hold: null });
    }
    expect(slow.report().duplicates).toEqual([]);
    await expect.poll(async () => (await readHost(slow.url))?.state).toBe('SLOW');

    // Calls that were under way when the first was refused may be refused too; none follows them.
    const { refused, accepted } = limit.calls;
    expect(refused.length).toBeLessThanOrEqual(8);
    expect(Math.min(...accepted)).toBeGreaterThanOrEqual(limit.resetAt());
    await expect.poll(async () => (await readHost(limit.url))?.state).toBe('OPEN');

    await untilEnded(ofDead);
    for (const post of await postsOf(ofDead)) {
      expect(post).toMatchObject({ status: 'FAILED', cause: 'too_late', atUri: null });
    }
    await checkProbes(dead);
  });

  /** Five failures open the circuit; from then on one call at a time asks whether the host is back. */
  async function checkProbes(host: string): Promise<void> {
    const calls = await stage.db.many<{ from: number; to: number; error: string }>(sql`
      select extract(epoch from started_at)::float8 as from, extract(epoch from ended_at)::float8 as to,
        error
      from delivery_attempts where host = ${host} order by ended_at`);
    expect(new Set(calls.map(({ error }) => error))).toEqual(new Set(['unreachable']));
    const openedAt = given(calls[4]).to;
    const probes = calls.filter(({ from }) => from > openedAt);
    expect(probes.length).toBeGreaterThan(0);
    let endedAt = openedAt + OPEN_SECONDS;
    for (const { from, to } of probes) {
      expect(from).toBeGreaterThan(endedAt);
      endedAt = to;
    }
  }
});

/** Refuses every call until some seconds after the first one, and says so. */
async function startLimitingHost(stage: Stage) {
  const calls = { refused: [] as number[], accepted: [] as number[] };
  let resetAt = 0;
  const host = await startScriptedHost((socket, request) => {
    const now = Date.now();
    if (resetAt === 0) resetAt = Math.ceil((now + LIMIT_MS) / 1000) * 1000;
    if (now < resetAt) {
      calls.refused.push(now);
      const headers = [`ratelimit-reset: ${resetAt / 1000}`];
      const body = { error: 'RateLimitExceeded', message: 'Rate limit exceeded' };
      return void socket.write(httpResponse(429, JSON.stringify(body), headers));
    }
    calls.accepted.push(now);
    return void socket.write(httpResponse(200, JSON.stringify(acceptance(request))));
  });
  stage.closeAtEnd(() => host.close());
  return { url: host.url, calls, resetAt: () => resetAt };
}

/** The response to a putRecord that was carried out. */
function acceptance(request: string): object {
  const { repo, rkey, record } = JSON.parse(request.slice(request.indexOf('\r\n\r\n'))) as {
    repo: string;
    rkey: string;
    record: unknown;
  };
  const uri = `at://${repo}/${POST_COLLECTION}/${rkey}`;
  return { uri, cid: cidOfRecord(record), commit: { cid: 'bafy', rev: rkey } };
}

/** Returns whether the good hosts noticed the bad ones, and not only that the machine stood still. */
function isNoticed(alone: readonly number[], beside: readonly number[], stillMs: number): boolean {
  const [before, after] = [percentile(alone, 0.99), percentile(beside, 0.99)];
  const ratio = Math.max(after, LEAST_MS) / Math.max(before, LEAST_MS);
  note({
    what: `Lateness of ${GOOD_HOSTS} good hosts`,
    posts: beside.length,
    'p99 alone, ms': before,
    'p99 beside three bad ones, ms': after,
    ratio: ratio.toFixed(2),
  });
  judge({
    goal: `Hosts: p99 of the other ${GOOD_HOSTS} <= ${MARK} times that without bad hosts`,
    measured: `${ratio.toFixed(2)} (${before} and ${after} ms)`,
    isMet: ratio <= MARK,
  });
  return after > Math.max(NOTICED_MS + stillMs, 4 * before);
}
