import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { given, httpNetwork, openStage } from './stage.ts';
import type { Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage('server');
});
afterAll(() => stage.close());

const UNREACHABLE = 'http://127.0.0.1:9';

test.each([
  { hours: 3, next: 'resumed', status: 'FAILED', cause: 'too_late' },
  { hours: 0, next: 'resumed', status: 'COMPLETED', cause: null },
  { hours: 3, next: 'published by hand', status: 'COMPLETED', cause: null },
])(
  'never sent, $hours hours without an attempt, then $next: $status',
  async ({ hours, next, status, cause }) => {
    const host = await stage.startHost();
    const user = await stage.addUser(UNREACHABLE);
    const id = await stage.addPost(user, 0);
    const engine = await stage.startEngine(httpNetwork([host]));
    const read = async () => given((await stage.readPosts()).find((post) => post.id === id));
    await expect.poll(read).toMatchObject({ status: 'PROCESSING', cause: 'network_unreachable' });

    await stage.db.execute(sql`update service_settings set is_service_suspended = true`);
    await engine.stop();
    const earlier = sql`make_interval(hours => ${hours})`;
    await stage.db.execute(sql`
      update posts set scheduled_at = scheduled_at - ${earlier}, claim_at = now() - ${earlier}
      where id = ${id}`);
    await stage.db.execute(sql`
      update deliveries set journalled_at = journalled_at - ${earlier} where post_id = ${id}`);
    await stage.db.execute(sql`update accounts set host = ${host.url} where user_id = ${user.id}`);
    await stage.db.execute(sql`update service_settings set is_service_suspended = false`);
    if (next === 'published by hand') {
      for (const changed of ['CANCELLED', 'PROCESSING']) {
        await stage.db.execute(sql`update posts set status = ${changed} where id = ${id}`);
      }
    }
    const second = await stage.startEngine(httpNetwork([host]));
    await expect.poll(read).toMatchObject({ status, cause });
    await second.stop();
  },
);

test.each([
  { hours: 3, next: 'started again', status: 'FAILED', cause: 'too_late' },
  { hours: 0, next: 'started again', status: 'COMPLETED', cause: null },
  { hours: 3, next: 'published by hand', status: 'COMPLETED', cause: null },
])(
  'claimed by an engine that died before it wrote its journal, $hours hours ago, then $next: $status',
  async ({ hours, next, status, cause }) => {
    const host = await stage.startHost();
    const user = await stage.addUser(host.url);
    const id = await stage.addPost(user, 60_000);
    const earlier = sql`make_interval(hours => ${hours})`;
    await stage.db.execute(sql`
      update posts set status = 'PROCESSING', attempt = 1, scheduled_at = now() - ${earlier}, claim_at = now() - ${earlier}
      where id = ${id}`);
    if (next === 'published by hand') {
      for (const changed of ['CANCELLED', 'PROCESSING']) {
        await stage.db.execute(sql`update posts set status = ${changed} where id = ${id}`);
      }
    }
    const engine = await stage.startEngine(httpNetwork([host]));
    const read = async () => given((await stage.readPosts()).find((post) => post.id === id));
    await expect.poll(read).toMatchObject({ status, cause });
    await engine.stop();
  },
);
