import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createTestDatabase } from '../../test/cluster/test-database.ts';
import { makeOlderSchema } from '../../test/older-schema.ts';
import { migrate } from './migrate.ts';

test('journal entries made after their posts were deleted lose their texts', async () => {
  const home = await createTestDatabase('server');
  const client = new Client({ connectionString: home.connectionString });
  await client.connect();
  await makeOlderSchema(client, 37);
  await client.query(`
    insert into users (id, did, handle) select gen_random_uuid(), 'did:plc:author', 'author.test';
    insert into posts (id, user_id, content, scheduled_at)
      select gen_random_uuid(), id, 'kept', now() from users;
    insert into deliveries (post_id, user_id, did, host, writes, settled_at)
      select coalesce(p.id, gen_random_uuid()), u.id, u.did, 'local',
        json_build_array(json_build_object('rkey', kind, 'cid', 'b', 'record', json_build_object('text', 'Hello'))),
        case kind when 'settled' then now() end
      from users u, unnest('{kept,settled,unsettled}'::text[]) as kind
        left join posts p on kind = 'kept'`);
  await migrate({ connectionString: home.connectionString });
  const { rows } = await client.query(`
    select writes -> 0 ->> 'rkey' as kind, writes -> 0 -> 'record' ->> 'text' as text,
      deleted_at is not null as deleted, look_at > now() as looked
    from deliveries order by 1`);
  // What may be public is looked at first, and loses them then.
  expect(rows).toEqual([
    { kind: 'kept', text: 'Hello', deleted: false, looked: null },
    { kind: 'settled', text: null, deleted: true, looked: null },
    { kind: 'unsettled', text: 'Hello', deleted: true, looked: true },
  ]);
  await client.end();
  await home.drop();
});
