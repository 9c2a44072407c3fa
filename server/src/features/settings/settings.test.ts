import { settingsGet, settingsUpdate } from '@meridian/contract/settings';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';

describe.each(EITHER)('settings on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
  });

  const get = async () => (await api.call(settingsGet, { token })).answer;
  const update = (body: object) => api.call(settingsUpdate, { token, body });

  // Proves 3.25, 7.9
  test('both switches are off at first', async () => {
    expect(await get()).toEqual({
      is_closed_beta: false,
      is_service_suspended: false,
      version: 1,
      updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
  });

  test('turning one answers the new settings, moves the time and leaves the other alone', async () => {
    await api.db.execute(sql`update service_settings set updated_at = '2026-01-01T00:00:00Z'`);
    const { answer } = await update({ is_closed_beta: true });
    expect(answer).toMatchObject({ is_closed_beta: true, is_service_suspended: false });
    expect(answer.updated_at > '2026-01-02').toBe(true);
    expect(await get()).toEqual(answer);

    const next = (await update({ is_service_suspended: true })).answer;
    expect(next).toMatchObject({ is_closed_beta: true, is_service_suspended: true });
  });

  test('both may be turned at once', async () => {
    const { answer } = await update({ is_closed_beta: false, is_service_suspended: false });
    expect(answer).toMatchObject({ is_closed_beta: false, is_service_suspended: false });
    expect(await get()).toEqual(answer);
  });

  test.each([
    [{}, 'Send is_closed_beta or is_service_suspended'],
    [{ is_closed_beta: 'yes' }, 'is_closed_beta must be true or false'],
    [{ is_closed_beta: null }, 'is_closed_beta must be true or false'],
    [{ is_service_suspended: 1 }, 'is_service_suspended must be true or false'],
    [{ is_closed_beta: true, updated_at: '2026-01-01T00:00:00Z' }, 'Unknown field: updated_at'],
  ])('refuses %j', async (body, message) => {
    const before = await get();
    expect(refusal(await update(body))).toEqual(catalogued('invalid_input', message));
    expect(await get()).toEqual(before);
  });

  test('two administrators turning one switch each both succeed', async () => {
    for (let round = 0; round < 25; round += 1) {
      await update({ is_closed_beta: false, is_service_suspended: false });
      await Promise.all([update({ is_closed_beta: true }), update({ is_service_suspended: true })]);
      expect(await get()).toMatchObject({ is_closed_beta: true, is_service_suspended: true });
    }
  });
});
