import { USER_STATUSES, userGet, userRestrict, userUpdate } from '@meridian/contract/users';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { uuidV7 } from '../../db/columns.ts';

const NOT_FOUND = { status: 404, code: 'user_not_found', message: 'User not found' };
const LONG_AGO = '2026-01-01T00:00:00.000Z';

describe.each(EITHER)('a user on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let id: string;
  let neighbour: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
  });
  beforeEach(async () => {
    id = await insertUser(api.db, { created_at: LONG_AGO });
    neighbour = await insertUser(api.db, { created_at: LONG_AGO });
  });

  const get = async (id: string) =>
    (await api.call(userGet, { token, params: { id } })).answer.user;
  const update = (id: string, body: object) =>
    api.call(userUpdate, { token, params: { id }, body });
  const restrict = (id: string, body: object) =>
    api.call(userRestrict, { token, params: { id }, body });

  /** Runs a change and checks that it touched the wanted fields of the wanted user, and nothing else. */
  async function expectOnly(change: object, run: () => Promise<unknown>): Promise<void> {
    const before = await get(id);
    const besides = await get(neighbour);
    await run();
    const after = await get(id);
    expect(after).toEqual({
      ...before,
      ...change,
      version: before.version + 1,
      updated_at: after.updated_at,
    });
    expect(after.updated_at > before.updated_at).toBe(true);
    expect(await get(neighbour)).toEqual(besides);
  }

  describe('get', () => {
    test('answers every field', async () => {
      const full = {
        did: 'did:web:full.example',
        handle: 'full.example',
        display_name: 'Full “Name” 🌍',
        avatar: 'https://cdn.example/avatar.jpg',
        status: 'SUSPENDED',
        is_active: false,
        has_access_keyword_access: true,
        upgrade_prohibited: true,
        created_at: '2026-02-03T04:05:06.789Z',
      } as const;
      const id = await insertUser(api.db, full);
      expect(await get(id)).toEqual({ id, ...full, version: 1, updated_at: full.created_at });
      expect(await get(id.toUpperCase())).toMatchObject({ id });
    });

    test.each([uuidV7(), 'not-an-id', '1', `${uuidV7()}0`, "' or 1=1 --"])(
      'does not know %s',
      async (id) => {
        expect(refusal(await api.call(userGet, { token, params: { id } }))).toEqual(NOT_FOUND);
      },
    );
  });

  describe('update', () => {
    test('sets any status from any other', async () => {
      for (const from of USER_STATUSES) {
        for (const status of USER_STATUSES) {
          const id = await insertUser(api.db, { status: from });
          expect((await update(id, { status })).answer.user).toMatchObject({ id, status });
        }
      }
    });

    test('changes the status alone', () =>
      expectOnly({ status: 'BLOCKED' }, async () => {
        expect((await update(id, { status: 'BLOCKED' })).answer.user).toMatchObject({
          id,
          status: 'BLOCKED',
          is_active: true,
        });
      }));

    test('deactivates and activates, apart from the status', async () => {
      await expectOnly({ is_active: false }, async () => {
        const { user } = (await update(id, { is_active: false })).answer;
        expect(user).toMatchObject({ id, is_active: false, status: 'ACTIVE' });
      });
      expect((await update(id, { is_active: true })).answer.user.is_active).toBe(true);
    });

    test('setting what is already set succeeds', async () => {
      expect((await update(id, { status: 'ACTIVE' })).answer.user.status).toBe('ACTIVE');
      expect((await update(id, { is_active: true })).answer.user.is_active).toBe(true);
    });

    test.each([
      [{}, 'Send either status or is_active'],
      [{ status: 'ACTIVE', is_active: true }, 'Send either status or is_active'],
      [{ status: 'DELETED' }, 'status must be one of ACTIVE, RESTRICTED, SUSPENDED, BLOCKED'],
      [{ status: null }, 'status must be one of ACTIVE, RESTRICTED, SUSPENDED, BLOCKED'],
      [{ is_active: 'false' }, 'is_active must be true or false'],
      [{ status: 'BLOCKED', handle: 'other.test' }, 'Unknown field: handle'],
    ])('refuses %j', async (body, message) => {
      const before = await get(id);
      expect(refusal(await update(id, body))).toEqual(catalogued('invalid_input', message));
      expect(await get(id)).toEqual(before);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know %s', async (id) => {
      expect(refusal(await update(id, { status: 'ACTIVE' }))).toEqual(NOT_FOUND);
      expect(refusal(await update(id, { is_active: true }))).toEqual(NOT_FOUND);
    });
  });

  describe('restrict', () => {
    test('prohibits and enables upgrades and answers what holds now', async () => {
      await expectOnly({ upgrade_prohibited: true }, async () => {
        const { answer } = await restrict(id, { upgradeProhibited: true });
        expect(answer).toEqual({ upgradeProhibited: true });
      });
      const again = await restrict(id, { upgradeProhibited: true });
      expect(again.answer).toEqual({ upgradeProhibited: true });
      const enabled = await restrict(id, { upgradeProhibited: false });
      expect(enabled.answer).toEqual({ upgradeProhibited: false });
      expect((await get(id)).upgrade_prohibited).toBe(false);
    });

    test.each([
      [{}, 'upgradeProhibited must be true or false'],
      [{ upgradeProhibited: 'true' }, 'upgradeProhibited must be true or false'],
      [{ upgradeProhibited: true, status: 'BLOCKED' }, 'Unknown field: status'],
    ])('refuses %j', async (body, message) => {
      const before = await get(id);
      expect(refusal(await restrict(id, body))).toEqual(catalogued('invalid_input', message));
      expect(await get(id)).toEqual(before);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know %s', async (id) => {
      expect(refusal(await restrict(id, { upgradeProhibited: true }))).toEqual(NOT_FOUND);
    });
  });
});
