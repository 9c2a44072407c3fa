import { CAUSES, HOLDS } from '@meridian/contract/causes';
import { deliveryGet } from '@meridian/contract/deliveries';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertAttempt, insertDelivery } from '../../../test/engine-fixtures.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';

const DID = 'did:plc:author';
const PLANNED = '2026-03-01T09:00:00.000Z';
const at = (seconds: number) => new Date(Date.parse(PLANNED) + seconds * 1000).toISOString();

describe.each(EITHER)('the delivery of a post on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let userId: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    userId = await insertUser(api.db, { did: DID });
  });

  const get = async (id: string) =>
    (await api.call(deliveryGet, { token, params: { id } })).answer.delivery;
  const change = (id: string, set: ReturnType<typeof sql>) =>
    api.db.execute(sql`update posts set ${set} where id = ${id}`);

  test('that no worker has claimed is planned and nothing else', async () => {
    const id = await insertPost(api.db, userId, { scheduled_at: PLANNED });
    expect(await get(id)).toEqual({
      plannedAt: PLANNED,
      claimedAt: null,
      sentAt: null,
      confirmedAt: null,
      latenessMs: null,
      claims: 0,
      host: null,
      outcome: null,
      hold: null,
      cause: null,
      nextLookAt: PLANNED,
      attempts: [],
      records: [],
    });
  });

  test('that went out at once is confirmed by the post itself', async () => {
    const status = 'COMPLETED';
    const fields = { status, scheduled_at: PLANNED, executed_at: at(0.25) } as const;
    const id = await insertPost(api.db, userId, fields);
    await insertDelivery(
      api.db,
      { id, userId, did: DID },
      { claimedAt: at(-1), sentAt: at(0.012), rkeys: ['3ka', '3kb'] },
    );
    expect(await get(id)).toMatchObject({
      claimedAt: at(-1),
      sentAt: at(0.012),
      confirmedAt: at(0.25),
      latenessMs: 12,
      host: 'pds.example',
      outcome: 'published',
      nextLookAt: null,
      records: [
        { rkey: '3ka', cid: 'bafyrei-3ka', uri: `at://${DID}/app.bsky.feed.post/3ka` },
        { rkey: '3kb', cid: 'bafyrei-3kb', uri: `at://${DID}/app.bsky.feed.post/3kb` },
      ],
    });
  });

  test.each(['infinity', '-infinity'])('scheduled for %s has no lateness', async (scheduled_at) => {
    const fields = { status: 'COMPLETED', executed_at: at(1) } as const;
    const id = await insertPost(api.db, userId, fields);
    await change(id, sql`scheduled_at = ${scheduled_at}`);
    expect(await get(id)).toMatchObject({ confirmedAt: at(1), latenessMs: null });
  });

  test('lists attempts, the latest first, with the cause in words', async () => {
    const id = await insertPost(api.db, userId, { status: 'FAILED', scheduled_at: PLANNED });
    const journal = { claimedAt: at(0), sentAt: at(1), settledAt: at(600), outcome: 'unknown' };
    await insertDelivery(api.db, { id, userId, did: DID }, journal);
    const first = { attempt: 1, startedAt: at(1), endedAt: at(9), cause: 'host_slow' };
    await insertAttempt(api.db, id, first);
    const second = { attempt: 2, startedAt: at(11), endedAt: at(12), cause: 'of_tomorrow' };
    await insertAttempt(api.db, id, { ...second, status: 502, error: 'Bad Gateway' });
    await change(
      id,
      sql`attempt = 2, cause = 'unknown_outcome', error_msg = 'Sent, never confirmed'`,
    );
    const delivery = await get(id);
    expect(delivery).toMatchObject({
      claims: 2,
      outcome: 'unknown',
      confirmedAt: null,
      cause: {
        word: 'unknown_outcome',
        sentence: 'Sent, never confirmed',
        advice: CAUSES.unknown_outcome.advice,
      },
    });
    expect(delivery.attempts).toEqual([
      {
        number: 2,
        startedAt: at(11),
        endedAt: at(12),
        host: 'pds.example',
        status: 502,
        error: 'Bad Gateway',
        cause: { word: 'of_tomorrow', sentence: 'of_tomorrow', advice: null },
      },
      {
        number: 1,
        startedAt: at(1),
        endedAt: at(9),
        host: 'pds.example',
        status: null,
        error: null,
        cause: {
          word: 'host_slow',
          sentence: 'pds.example did not respond in time',
          advice: CAUSES.host_slow.advice,
        },
      },
    ]);
  });

  test('of a held post says why, and that no worker looks by itself', async () => {
    const id = await insertPost(api.db, userId);
    await change(id, sql`hold = 'quota', cause = 'quota', claim_at = 'infinity'`);
    expect(await get(id)).toMatchObject({
      hold: { word: 'quota', sentence: HOLDS.quota },
      cause: { word: 'quota', advice: CAUSES.quota.advice },
      nextLookAt: null,
    });
  });

  test.each([uuidV7(), 'not-an-id'])('is not known of %s', async (id) => {
    expect(refusal(await api.call(deliveryGet, { token, params: { id } }))).toEqual(
      catalogued('post_not_found', 'Post not found'),
    );
  });
});
