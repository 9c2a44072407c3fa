import { auditReverse } from '@meridian/contract/audit';
import { assignmentRevoke } from '@meridian/contract/assignments';
import { authLogin, authLogout, authPassword } from '@meridian/contract/auth';
import { bulkStart, bulkStop } from '@meridian/contract/bulk';
import type { Endpoint } from '@meridian/contract/endpoint';
import { serviceResume, suspensionUpdate } from '@meridian/contract/suspension';
import { handoverUpdate } from '@meridian/contract/overview';
import { postCancel, postDelete, postUpdate } from '@meridian/contract/posts';
import { postRetry } from '@meridian/contract/causes';
import { settingsUpdate } from '@meridian/contract/settings';
import { userRestrict, userUpdate } from '@meridian/contract/users';
import { HOST } from '../src/audit/audit.store.ts';
import { sql } from '../src/db/sql.ts';
import type { SignedIn, TestApp } from './app.ts';
import { UNKNOWN } from './changes/change.ts';
import type { Prepare } from './changes/change.ts';
import { COMMERCE_CHANGES } from './changes/commerce.ts';
import { PEOPLE_CHANGES } from './changes/people.ts';
import { expect } from 'vitest';
import { grantPlan, insertPost, insertUser } from './fixtures.ts';

const NEW_PASSWORD = 'quiet river stones';

async function aUser({ db }: TestApp) {
  const id = await insertUser(db);
  return { id, params: { id } };
}

async function aPost(test: TestApp) {
  const user = await insertUser(test.db);
  const id = await insertPost(test.db, user, { content: 'Words of somebody' });
  return { id, user, params: { id } };
}

async function aFailure(test: TestApp) {
  const { id, params } = await aPost(test);
  await test.db.execute(sql`
    update posts set status = 'FAILED', cause = 'host_down', claim_at = null, attempt = 1
    where id = ${id}`);
  const after = { retried_as: expect.stringMatching(/^[\da-f-]{36}$/) };
  return { id, params, before: null, after };
}

async function aPreview(test: TestApp, admin: SignedIn, post: string) {
  const by = { ...admin, requestId: null, network: null };
  const selection = { ids: [post] };
  const { token } = await test.context.bulk.preview(by, { action: 'postCancel', selection });
  return { selection, token };
}

/** Every call of the contract that changes something. */
export const CHANGES: readonly [Endpoint, Prepare][] = [
  [
    authLogin,
    async (_, { adminId: id, username, password }) => ({
      call: { token: undefined, body: { username, password } },
      id,
      before: null,
      after: null,
      refused: null,
    }),
  ],
  [
    authLogout,
    async (_, { adminId: id }) => ({ call: {}, id, before: null, after: null, refused: null }),
  ],
  [
    authPassword,
    async (_, { adminId: id, password }) => ({
      call: { body: { currentPassword: password, newPassword: NEW_PASSWORD } },
      id,
      before: null,
      after: null,
      refused: { body: { currentPassword: password, newPassword: 'changeme 2026' } },
    }),
  ],
  [
    settingsUpdate,
    async (test) => {
      const { is_closed_beta } = await test.context.settings.get();
      return {
        call: { body: { is_closed_beta: !is_closed_beta } },
        id: '1',
        before: { is_closed_beta },
        after: { is_closed_beta: !is_closed_beta },
        refused: { body: {} },
      };
    },
  ],
  [
    userUpdate,
    async (test) => {
      const { id, params } = await aUser(test);
      const body = { status: 'SUSPENDED' };
      const after = { status: 'SUSPENDED' };
      const refused = { params: UNKNOWN, body };
      return { call: { params, body }, id, before: { status: 'ACTIVE' }, after, refused };
    },
  ],
  [
    userRestrict,
    async (test) => {
      const { id, params } = await aUser(test);
      const body = { upgradeProhibited: true };
      return {
        call: { params, body },
        id,
        before: { upgrade_prohibited: false },
        after: { upgrade_prohibited: true },
        refused: { params: UNKNOWN, body },
      };
    },
  ],
  [
    assignmentRevoke,
    async (test) => {
      const user = await insertUser(test.db);
      const { assignmentId } = await grantPlan(test.db, user);
      const stranger = await insertUser(test.db);
      return {
        call: { params: { id: user, assignmentId } },
        id: assignmentId,
        before: { status: 'ACTIVE' },
        after: { status: 'REVOKED' },
        refused: { params: { id: stranger, assignmentId } },
      };
    },
  ],
  [
    postUpdate,
    async (test) => {
      const { id, params } = await aPost(test);
      return {
        call: { params, body: { status: 'PROCESSING' } },
        id,
        before: { status: 'PENDING' },
        after: { status: 'PROCESSING' },
        refused: { params, body: { status: 'PENDING' } },
      };
    },
  ],
  [
    postCancel,
    async (test) => {
      const { id, user, params } = await aPost(test);
      const done = await insertPost(test.db, user, { status: 'COMPLETED' });
      const before = { status: 'PENDING' };
      const after = { status: 'CANCELLED' };
      return { call: { params }, id, before, after, refused: { params: { id: done } } };
    },
  ],
  [
    postDelete,
    async (test) => {
      const { id, user, params } = await aPost(test);
      const before = {
        user_id: user,
        status: 'PENDING',
        scheduled_at: '2026-03-01T09:00:00+00:00',
        created_at: '2026-02-01T09:00:00+00:00',
        executed_at: null,
        at_uri: null,
        content_sha256: '43b53974b4612b386603fb572ccdd49239d51145064b651da795dfd8cd043d3d',
      };
      return { call: { params }, id, before, after: null, refused: { params: UNKNOWN } };
    },
  ],
  [
    auditReverse,
    async (test) => {
      const { id } = await aUser(test);
      await test.context.users.update(HOST, id, { status: 'BLOCKED' });
      const { entryId } = await test.db.one<{ entryId: string }>(sql`
        select max(id)::text as "entryId" from audit_log`);
      return {
        call: { params: { id: entryId } },
        id,
        action: 'userUpdate',
        before: { status: 'BLOCKED' },
        after: { status: 'ACTIVE' },
        refused: { params: { id: '999999999' } },
      };
    },
  ],
  [
    postRetry,
    async (test) => {
      const { params, ...failure } = await aFailure(test);
      return { call: { params }, ...failure, refused: { params: UNKNOWN } };
    },
  ],
  [
    suspensionUpdate,
    async (test) => {
      await test.context.settings.update(HOST, { is_service_suspended: false });
      const body = { expectedEndAt: null, noticeForPeople: 'Back soon' };
      return {
        call: { body },
        id: '1',
        before: { is_service_suspended: false, notice_for_people: null },
        after: { is_service_suspended: true, notice_for_people: 'Back soon' },
        refused: { body, headers: { 'if-match': '"v0"' } },
      };
    },
  ],
  [
    serviceResume,
    async (test) => {
      await test.context.settings.update(HOST, { is_service_suspended: true });
      const { token, asOf } = await test.context.suspension.preview();
      const body = { token, tooLate: [], perMinute: 20 };
      const after = {
        is_service_suspended: false,
        waiting_as_of: asOf,
        published_late: expect.any(Number),
        posts_per_minute: 20,
        marked_too_late: 0,
        too_late_bands: [],
      };
      const before = { is_service_suspended: true };
      return { call: { body }, id: '1', before, after, refused: { body: { ...body, token: '' } } };
    },
  ],
  [
    handoverUpdate,
    async () => ({
      call: { body: { text: 'Watch pds.example' } },
      id: '1',
      before: { text: '' },
      after: { text: 'Watch pds.example' },
      refused: { body: { text: 'Mine' }, headers: { 'if-match': '"v9"' } },
    }),
  ],
  [
    bulkStart,
    async (test, admin) => {
      const { id: post } = await aPost(test);
      const { selection, token } = await aPreview(test, admin, post);
      const after = { action: 'postCancel', value: null, total: 1, selection };
      const refused = { body: { token: UNKNOWN.id } };
      return { call: { body: { token } }, id: token, before: null, after, refused };
    },
  ],
  [
    bulkStop,
    async (test, admin) => {
      const { id: post } = await aPost(test);
      const { token } = await aPreview(test, admin, post);
      await test.context.bulk.start({ ...admin, requestId: null, network: null }, { token });
      const before = { state: 'RUNNING' };
      const after = { state: 'STOPPING' };
      return {
        call: { params: { id: token } },
        id: token,
        before,
        after,
        refused: { params: UNKNOWN },
      };
    },
  ],
  ...COMMERCE_CHANGES,
  ...PEOPLE_CHANGES,
];
