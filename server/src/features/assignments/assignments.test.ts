import { assignmentList, assignmentRevoke } from '@meridian/contract/assignments';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { grantPlan, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';

const USER_NOT_FOUND = { status: 404, code: 'user_not_found', message: 'User not found' };
const NOT_FOUND = { status: 404, code: 'assignment_not_found', message: 'Assignment not found' };
const LONG_PAST = '2026-01-15T00:00:00.000Z';
const FAR_FUTURE = '2099-01-01T00:00:00.000Z';

describe.each(EITHER)('plan assignments on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let userId: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
  });
  beforeEach(async () => {
    userId = await insertUser(api.db);
  });

  const list = async (id: string) =>
    (await api.call(assignmentList, { token, params: { id } })).answer.assignments;
  const revoke = (id: string, assignmentId: string) =>
    api.call(assignmentRevoke, { token, params: { id, assignmentId } });

  describe('list', () => {
    // Proves 3.5
    test('answers the assignment with its user, plan and ticket', async () => {
      const id = await insertUser(api.db, {
        did: 'did:plc:holder',
        handle: 'holder.test',
        display_name: 'Holder',
      });
      const grant = await grantPlan(api.db, id, {
        code: 'ABCD-EFGH-JKLM-NPQR',
        expires_at: FAR_FUTURE,
        created_at: '2026-01-10T11:12:13.456Z',
      });
      expect(await list(id)).toEqual([
        {
          id: grant.assignmentId,
          status: 'ACTIVE',
          activatedAt: '2026-01-10T11:12:13.456Z',
          expiresAt: FAR_FUTURE,
          createdAt: '2026-01-10T11:12:13.456Z',
          ticket: { id: grant.ticketId, code: 'ABCD-EFGH-JKLM-NPQR' },
          limitsOverride: null,
          user: { id, displayName: 'Holder', handle: 'holder.test', did: 'did:plc:holder' },
          plan: {
            id: grant.planId,
            name: expect.stringMatching(/^fixture-plan-\d+$/),
            displayName: { en: 'Basic', ja: 'ベーシック' },
            tier: 'BASIC',
            limits: { monthly_posts_limit: 10, thread_posts: false, max_video_size_mb: null },
          },
        },
      ]);
    });

    // Proves 3.5
    test('says null for no ticket and for no end', async () => {
      await grantPlan(api.db, userId);
      expect(await list(userId)).toMatchObject([{ ticket: null, expiresAt: null }]);
    });

    test('is newest first, ties by id the same way, and only of this user', async () => {
      await grantPlan(api.db, await insertUser(api.db));
      for (const day of [3, 1, 2, 2, 2]) {
        await grantPlan(api.db, userId, { created_at: `2026-01-0${day}T00:00:00.000Z` });
      }
      const assignments = await list(userId);
      const keys = assignments.map(({ createdAt, id }) => `${createdAt} ${id}`);
      expect(keys).toHaveLength(5);
      expect(keys).toEqual(keys.toSorted().toReversed());
    });

    test('shows the status that holds now, whatever is stored', async () => {
      const over = await grantPlan(api.db, userId, { expires_at: LONG_PAST });
      const current = await grantPlan(api.db, userId, { expires_at: FAR_FUTURE });
      const stored = await grantPlan(api.db, userId, { status: 'EXPIRED', expires_at: LONG_PAST });
      const revoked = await grantPlan(api.db, userId, { status: 'REVOKED', expires_at: LONG_PAST });
      const statuses = new Map((await list(userId)).map(({ id, status }) => [id, status]));
      expect(statuses).toEqual(
        new Map([
          [over.assignmentId, 'EXPIRED'],
          [current.assignmentId, 'ACTIVE'],
          [stored.assignmentId, 'EXPIRED'],
          [revoked.assignmentId, 'REVOKED'],
        ]),
      );
    });

    test('is empty for a user without any', async () => {
      expect(await list(userId)).toEqual([]);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know user %s', async (id) => {
      expect(refusal(await api.call(assignmentList, { token, params: { id } }))).toEqual(
        USER_NOT_FOUND,
      );
    });
  });

  describe('revoke', () => {
    test('ends an active assignment and no other', async () => {
      const { assignmentId } = await grantPlan(api.db, userId, { expires_at: FAR_FUTURE });
      const endless = await grantPlan(api.db, userId);
      const before = await list(userId);
      const { assignment } = (await revoke(userId, assignmentId)).answer;
      expect(assignment).toMatchObject({ id: assignmentId, status: 'REVOKED' });
      expect(await list(userId)).toEqual(
        before.map((entry) => (entry.id === assignmentId ? assignment : entry)),
      );
      const row = await api.db.one<{ is_recent: boolean }>(sql`
        select revoked_at > now() - interval '1 minute' as is_recent
        from plan_assignments where id = ${assignmentId}`);
      expect(row.is_recent).toBe(true);
      expect((await revoke(userId, endless.assignmentId)).answer.assignment.status).toBe('REVOKED');
    });

    // Proves 4.21, 4.22
    test.each([
      ['revoked', { status: 'REVOKED' }],
      ['expired', { status: 'EXPIRED' }],
      ['active in store but over', { status: 'ACTIVE', expires_at: LONG_PAST }],
    ] as const)('refuses a %s one', async (_, fields) => {
      const { assignmentId } = await grantPlan(api.db, userId, fields);
      const before = await list(userId);
      expect(refusal(await revoke(userId, assignmentId))).toEqual(
        catalogued('assignment_not_revocable', 'Only an active assignment can be revoked'),
      );
      expect(await list(userId)).toEqual(before);
    });

    test('happens once when asked ten times at once', async () => {
      const { assignmentId } = await grantPlan(api.db, userId);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => revoke(userId, assignmentId)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    });

    test("does not reach another user's assignment", async () => {
      const other = await insertUser(api.db);
      const { assignmentId } = await grantPlan(api.db, other);
      const before = await list(other);
      expect(refusal(await revoke(userId, assignmentId))).toEqual(NOT_FOUND);
      expect(await list(other)).toEqual(before);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know assignment %s', async (id) => {
      expect(refusal(await revoke(userId, id))).toEqual(NOT_FOUND);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know user %s', async (id) => {
      const { assignmentId } = await grantPlan(api.db, userId);
      expect(refusal(await revoke(id, assignmentId))).toEqual(USER_NOT_FOUND);
      expect(refusal(await revoke(id, 'not-an-id'))).toEqual(USER_NOT_FOUND);
      expect(await list(userId)).toMatchObject([{ id: assignmentId, status: 'ACTIVE' }]);
    });

    test('takes no body', async () => {
      const { assignmentId } = await grantPlan(api.db, userId);
      const params = { id: userId, assignmentId };
      const answer = await api.call(assignmentRevoke, { token, params, body: { force: true } });
      expect(refusal(answer)).toEqual(catalogued('invalid_input', 'Unknown field: force'));
      expect(await list(userId)).toMatchObject([{ status: 'ACTIVE' }]);
    });
  });
});
