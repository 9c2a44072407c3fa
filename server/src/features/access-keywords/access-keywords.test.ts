import {
  accessKeywordCreate,
  accessKeywordList,
  accessKeywordRevoke,
} from '@meridian/contract/access-keywords';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertKeyword } from '../../../test/members.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';

const BODY = { word: 'Spring Garden', maxUses: 2, expiresAt: '2099-01-01T00:00:00.000Z' };

describe.each(EITHER)('access keywords, on the %s database', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let username: string;
  beforeAll(async () => {
    ({ token, username } = await api.signIn());
  });

  const create = (body: object) => api.call(accessKeywordCreate, { token, body });
  const revoke = (id: string) => api.call(accessKeywordRevoke, { token, params: { id } });

  test('are created, listed and revoked', async () => {
    const { accessKeyword } = (await create(BODY)).answer;
    expect(accessKeyword).toMatchObject({
      word: 'spring garden',
      status: 'ACTIVE',
      uses: 0,
      maxUses: 2,
      expiresAt: BODY.expiresAt,
      revokedAt: null,
      createdBy: username,
    });
    const listed = (await api.call(accessKeywordList, { token })).answer.accessKeywords;
    expect(listed[0]).toEqual(accessKeyword);
    const revoked = (await revoke(accessKeyword.id)).answer.accessKeyword;
    expect(revoked).toMatchObject({ status: 'REVOKED', revokedAt: expect.any(String) });
    expect(refusal(await revoke(accessKeyword.id))).toEqual(catalogued('access_keyword_revoked'));
  });

  test('are one keyword in every spelling', async () => {
    expect((await create({ ...BODY, word: 'Twice Told' })).status).toBe(201);
    for (const word of ['twice told', ' TWICE TOLD ', 'Ｔｗｉｃｅ told']) {
      const refused = await create({ ...BODY, word });
      expect(refusal(refused)).toEqual(catalogued('access_keyword_taken'));
    }
  });

  test.each([
    [{ word: 'short' }, 'Access keyword must be at least 6 characters'],
    [{ word: '' }, 'Access keyword is required'],
    [{ word: 'x'.repeat(65) }, 'Access keyword must be at most 64 characters'],
    [{ maxUses: 0 }, 'Uses must be a whole number of at least 1'],
    [
      { expiresAt: 'tomorrow' },
      'Expiry must be a date and time with a zone, between 2000 and 2100',
    ],
    [{ expiresAt: '2026-01-01T00:00:00.000Z' }, 'Expiry must be in the future'],
  ])('refuse %j', async (fields, message) => {
    expect(refusal(await create({ ...BODY, ...fields }))).toEqual(
      catalogued('invalid_input', message),
    );
  });

  test('say why they let no more people in', async () => {
    await insertKeyword(api.db, { word: 'used-up', uses: 3, maxUses: 3 });
    await insertKeyword(api.db, { word: 'expired', expiresAt: '2026-01-01T00:00:00Z' });
    const { accessKeywords } = (await api.call(accessKeywordList, { token })).answer;
    const statusOf = (word: string) => accessKeywords.find((one) => one.word === word)?.status;
    expect([statusOf('used-up'), statusOf('expired')]).toEqual(['USED_UP', 'EXPIRED']);
  });

  test('cannot be used too often, whatever a program does', async () => {
    const id = await insertKeyword(api.db, { word: 'exactly-once', maxUses: 1, uses: 1 });
    const overuse = api.db.execute(
      sql`update access_keywords set uses = uses + 1 where id = ${id}`,
    );
    await expect(overuse).rejects.toThrow('access_keywords_never_overused');
  });

  test('need an id', async () => {
    expect(refusal(await revoke('nothing'))).toEqual(catalogued('access_keyword_not_found'));
  });
});
