import { afterEach, beforeEach, expect, test } from 'vitest';
import { EITHER } from '../../test/app.ts';
import { openStage } from '../../test/engine/stage.ts';
import type { Stage, StagedUser } from '../../test/engine/stage.ts';
import { sql } from '../db/sql.ts';
import type { NetworkResponse } from '../network/network.ts';
import { createHosts } from './hosts.ts';
import { confirmAccounts } from './confirm.ts';
import { responded, silent } from './testing/responses.ts';

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
