import { accountDisconnect, accountGet } from '@meridian/contract/accounts';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';

describe.each(EITHER)('the account of a user, on the %s database', (engine) => {
  const api = setUpApp(engine, { env: { NETWORK: 'local' } });
  let token: string;
  beforeAll(async () => {
    ({ token } = await api.signIn());
  });

  const get = async (id: string) =>
    (await api.call(accountGet, { token, params: { id } })).answer.account;

  test('is none before one is connected', async () => {
    const id = await insertUser(api.db);
    expect(await get(id)).toEqual({ state: 'NONE', host: null, since: null, refreshedAt: null });
  });

  test('is disconnected once, its held posts wait, and its neighbour stays', async () => {
    const [id, neighbour] = [await insertUser(api.db), await insertUser(api.db)];
    await api.db.execute(sql`
      insert into accounts (user_id, host) values (${id}, 'pds.example'), (${neighbour}, 'pds.example')`);
    await insertPost(api.db, id);
    const disconnect = () => api.call(accountDisconnect, { token, params: { id } });
    const { account } = (await disconnect()).answer;
    expect(account).toMatchObject({ state: 'RECONNECT', host: 'pds.example' });
    expect((await disconnect()).answer.account).toEqual(account);
    expect((await get(neighbour)).state).toBe('CONNECTED');
    const { entries } = await api.db.one<{ entries: number }>(sql`
      select count(*)::int as entries from audit_log
      where action = 'accountDisconnect' and entity_id = ${id}`);
    expect(entries).toBe(1);
  });

  test('belongs to a user who is there', async () => {
    const params = { id: '01890000-0000-7000-8000-000000000000' };
    for (const endpoint of [accountGet, accountDisconnect]) {
      const refused = await api.call(endpoint, { token, params });
      expect(refusal(refused)).toEqual(catalogued('user_not_found'));
    }
  });
});
