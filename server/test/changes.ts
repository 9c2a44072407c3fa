import { assignmentRevoke } from '@meridian/contract/assignments';
import { authLogin, authLogout, authPassword } from '@meridian/contract/auth';
import type { Endpoint } from '@meridian/contract/endpoint';
import { postCancel, postDelete, postUpdate } from '@meridian/contract/posts';
import { settingsUpdate } from '@meridian/contract/settings';
import { userRestrict, userUpdate } from '@meridian/contract/users';
import type { TestApp } from './app.ts';
import { UNKNOWN } from './changes/change.ts';
import type { Prepare } from './changes/change.ts';
import { COMMERCE_CHANGES } from './changes/commerce.ts';
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
  ...COMMERCE_CHANGES,
];
