import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openStage, OPTIONS } from '../../test/engine/stage.ts';
import type { Stage, StagedUser } from '../../test/engine/stage.ts';
import { sql } from '../db/sql.ts';
import { createLog } from '../log.ts';
import { claimPosts } from './claim.ts';
import { openSwitches } from './switches.ts';
import type { Switches } from './switches.ts';

describe('the switches', () => {
  let stage: Stage;
  let switches: Switches;
  let user: StagedUser;
  let notified = 0;
  const suspensions: number[] = [];
  beforeAll(async () => {
    stage = await openStage('server');
    switches = await openSwitches({
      db: stage.db,
      connection: { connectionString: stage.connectionString },
      log: createLog('silent'),
      onWake: () => (notified += 1),
      onSuspended: ({ ms }) => suspensions.push(ms),
    });
    stage.closeAtEnd(() => switches.close());
  });
  afterAll(() => stage.close());
  beforeEach(async () => {
    user = await stage.addUser(null);
    notified = 0;
  });

  const claim = async () => {
    const claimedAt = performance.now();
    const { posts } = await claimPosts(stage.db, { ...OPTIONS, defaultHost: 'local' });
    const [post] = posts;
    if (post === undefined) throw new Error('Nothing was claimed');
    return { post, claimedAt };
  };

  test.each([
    ['is cancelled', sql`update posts set status = 'CANCELLED' where user_id =`, 'taken_back'],
    ['is deleted', sql`delete from posts where user_id =`, 'taken_back'],
    ['has its user blocked', sql`update users set status = 'BLOCKED' where id =`, 'user_off'],
  ])('stops a post that %s after its claim, before it is held', async (_, off, reason) => {
    await stage.addPost(user, 0);
    const { post, claimedAt } = await claim();
    await stage.db.execute(sql`${off} ${user.id}`);
    await expect.poll(() => notified).toBe(1);
    switches.hold(post, claimedAt);
    expect(switches.stopReason(post)).toBe(reason);
  });

  test('lets a post go that was claimed after the switch', async () => {
    for (const status of ['BLOCKED', 'ACTIVE']) {
      await stage.db.execute(sql`update users set status = ${status} where id = ${user.id}`);
    }
    await expect.poll(() => notified).toBe(2);
    await stage.addPost(user, 0);
    const { post, claimedAt } = await claim();
    switches.hold(post, claimedAt);
    expect(switches.stopReason(post)).toBeNull();
  });

  test('stops an attempt that is over, and not the next one of the same post', async () => {
    const id = await stage.addPost(user, 0);
    const first = await claim();
    switches.hold(first.post, first.claimedAt);
    await stage.db.execute(sql`update posts set claim_at = now() where id = ${id}`);
    const second = await claim();
    expect(second.post).toMatchObject({ id, attempt: 2 });
    await switches.poll();
    expect(switches.stopReason(first.post)).toBe('taken_back');
    switches.hold(second.post, second.claimedAt);
    expect(switches.stopReason(second.post)).toBeNull();
    expect(switches.stopReason(first.post)).toBe('taken_back');
    switches.letGo(first.post);
    expect(switches.stopReason(second.post)).toBeNull();
  });

  test('stops an attempt that outlives the next one', async () => {
    const id = await stage.addPost(user, 0);
    const first = await claim();
    switches.hold(first.post, first.claimedAt);
    await stage.db.execute(sql`update posts set claim_at = now() where id = ${id}`);
    const second = await claim();
    switches.hold(second.post, second.claimedAt);
    await stage.db.execute(sql`update posts set status = 'CANCELLED' where id = ${id}`);
    await expect.poll(() => switches.stopReason(second.post)).toBe('taken_back');
    switches.letGo(second.post);
    expect(switches.stopReason(first.post)).toBe('taken_back');
  });

  test('learns of a suspension and of its end, however close they follow each other', async () => {
    for (let round = 0; round < 10; round += 1) {
      for (const isSuspended of [true, false]) {
        await stage.db.execute(
          sql`update service_settings set is_service_suspended = ${isSuspended}`,
        );
      }
    }
    await expect.poll(() => notified).toBe(20);
    expect(switches.isSuspended()).toBe(false);
  });

  test('tells how long ago a suspension was when it learned of it, once', async () => {
    suspensions.length = 0;
    await stage.db.execute(sql`update service_settings set is_service_suspended = true`);
    await expect.poll(() => suspensions.length).toBe(1);
    await switches.poll();
    expect(suspensions).toEqual([expect.closeTo(0, -4)]);
    await stage.db.execute(sql`update service_settings set is_service_suspended = false`);
    await expect.poll(() => switches.isSuspended()).toBe(false);
  });
});
