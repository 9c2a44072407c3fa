import { POST_STATUSES } from '@meridian/contract/posts';
import type { PostStatus } from '@meridian/contract/posts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestApp } from '../../test/app.ts';
import type { TestApp } from '../../test/app.ts';
import { insertPost, insertUser } from '../../test/fixtures.ts';
import { HOST } from '../audit/audit.store.ts';
import { sql } from '../db/sql.ts';
import { AppError } from '../http/errors.ts';
import { POST_COLLECTION } from '../network/network.ts';
import type { ClaimedPost } from './claim.ts';
import { responded } from './testing/responses.ts';
import { ENDS } from './testing/status-ends.ts';
import type { End } from './testing/status-ends.ts';
import { MOMENTS, openSteppedWorker } from './testing/stepped-worker.ts';
import type { Moment, Scripted, SteppedWorker } from './testing/stepped-worker.ts';

/** How a delivery is settled in the status from which it is then changed. */
const SETTLED_AS: Partial<Record<PostStatus, Scripted>> = {
  PENDING: { writes: false, response: responded(401, 'AuthMissing') },
  PROCESSING: { writes: true, response: responded(502, 'UpstreamFailure') },
  FAILED: { writes: false, response: responded(400, 'InvalidRequest') },
};

/** Without a change. */
function endOf(moment: Moment, from: PostStatus): End | undefined {
  const [, ...ends] = ENDS[moment].find(([status]) => status === from) ?? [];
  return ends[POST_STATUSES.indexOf(from)];
}

const LEARNING = ['by a notification', 'by asking', 'after another worker has taken it'] as const;

describe.each(LEARNING)('a change by hand, of which the worker learns %s', (learning) => {
  let api: TestApp;
  let worker: SteppedWorker;
  let other: SteppedWorker;
  beforeAll(async () => {
    api = await startTestApp('server');
    const { connection } = api.context;
    const isListening = learning === 'by a notification';
    worker = await openSteppedWorker({ db: api.db, connection, isListening });
    other = await openSteppedWorker({ db: api.db, connection, isListening: false });
  });
  afterAll(async () => {
    await worker.close();
    await other.close();
    await api.close();
  });

  const all = MOMENTS.flatMap((moment) =>
    ENDS[moment].flatMap(([from, ...ends]) =>
      POST_STATUSES.map((to, index) => ({ moment, from, to, end: ends[index] ?? 'refused' })),
    ),
  );
  // How a worker learns of it matters only while one has the post, and not of what is refused.
  const isInHand = ({ moment, end }: (typeof all)[number]) =>
    MOMENTS.slice(1, -1).includes(moment) && end !== 'refused';
  const cells = learning === 'by a notification' ? all : all.filter(isInHand);

  test.each(cells)('$moment: $from to $to ends $end', async ({ moment, from, to, end }) => {
    const userId = await insertUser(api.db);
    const id = await insertPost(api.db, userId, { scheduled_at: new Date().toISOString() });
    const isRefused = await changeAt(moment, id, from, to);
    await worker.finish();
    expect(isRefused).toBe(end === 'refused');
    const last = end === 'refused' ? endOf(moment, from) : end;
    const status = end === 'refused' ? from : to;
    expect(await seen(id)).toEqual(await expected(id, last, status));
  });

  /** Brings the post to the moment and the status, changes it, and lets the delivery go on. */
  async function changeAt(moment: Moment, id: string, from: PostStatus, to: PostStatus) {
    let isRefused = false;
    const change = async () => {
      isRefused = from !== to && !(await set(id, to));
    };
    const both = async () => {
      await bring(id, from);
      await change();
    };
    if (moment === 'before the claim') {
      await both();
    } else if (moment === 'settled') {
      const isCancelled = from === 'CANCELLED';
      await worker.step(async (at) => {
        if (isCancelled && at === 'on the wire') await bring(id, 'CANCELLED');
      }, SETTLED_AS[from] ?? null);
      await change();
    } else {
      await worker.step(async (at, post) => {
        if (at !== moment) return;
        const before = await versionOf(id);
        await both();
        if ((await versionOf(id)) > before) await learn(post);
      });
    }
    return isRefused;
  }

  async function learn(post: ClaimedPost): Promise<void> {
    if (learning === 'by a notification') {
      return expect.poll(() => worker.switches.stopReason(post)).toBe('taken_back');
    }
    if (learning === 'after another worker has taken it') await other.step(async () => {});
    await worker.switches.poll();
  }

  async function bring(id: string, from: PostStatus): Promise<void> {
    const { status } = await api.context.posts.get(id);
    if (status !== from) expect(await set(id, from)).toBe(true);
  }

  /** False when the change is refused. */
  async function set(id: string, to: PostStatus): Promise<boolean> {
    try {
      await api.context.posts.changeStatus(HOST, id, to);
      return true;
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 409) throw error;
      return false;
    }
  }

  async function versionOf(id: string): Promise<number> {
    return (await api.context.posts.get(id)).version;
  }

  async function seen(id: string) {
    const post = await api.db.one<Record<string, unknown>>(sql`
      select status, at_uri, cause is not distinct from 'published_after_cancel' as is_public
      from posts where id = ${id}`);
    return { ...post, records: await recordsOf(id) };
  }

  async function recordsOf(id: string): Promise<string[]> {
    const rows = await api.db.many<{ uri: string }>(sql`
      select 'at://' || did || '/' || collection || '/' || rkey as uri from local_records
      where collection = ${POST_COLLECTION}
        and did = (select did from users u join posts p on p.user_id = u.id where p.id = ${id})`);
    return rows.map(({ uri }) => uri);
  }

  async function expected(id: string, end: End | undefined, status: PostStatus) {
    const [uri = 'missing'] = await recordsOf(id);
    const isSent = end !== 'stopped';
    return {
      status: end === 'published' ? 'COMPLETED' : status,
      at_uri: isSent ? uri : null,
      is_public: end === 'public',
      records: isSent ? [uri] : [],
    };
  }
});
