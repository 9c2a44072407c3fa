import { accessKeywordCreate, accessKeywordRevoke } from '@meridian/contract/access-keywords';
import { accountDisconnect } from '@meridian/contract/accounts';
import type { Endpoint } from '@meridian/contract/endpoint';
import { insertUser } from '../fixtures.ts';
import { insertKeyword } from '../members.ts';
import { UNKNOWN } from './change.ts';
import type { Prepare } from './change.ts';

/** Changes of how people come in. */
export const PEOPLE_CHANGES: readonly [Endpoint, Prepare][] = [
  [
    accountDisconnect,
    async ({ db }) => {
      const id = await insertUser(db);
      return {
        call: { params: { id } },
        id,
        before: { isConnected: true },
        after: { isConnected: false },
        refused: { params: UNKNOWN },
      };
    },
  ],
  [
    accessKeywordCreate,
    async ({ db }, { token }) => {
      const body = { word: `Spring ${token.slice(-8)}`, maxUses: 20, expiresAt: null };
      const after = { word: 'sp…', maxUses: 20, expiresAt: null };
      await insertKeyword(db, { word: `taken ${token.slice(-8).toLowerCase()}` });
      const refused = { body: { ...body, word: `taken ${token.slice(-8)}` } };
      return { call: { body }, before: null, after, refused };
    },
  ],
  [
    accessKeywordRevoke,
    async ({ db }, { token }) => {
      const id = await insertKeyword(db, { word: `leave ${token.slice(-8).toLowerCase()}` });
      return {
        call: { params: { id } },
        id,
        before: { isRevoked: false },
        after: { isRevoked: true },
        refused: { params: UNKNOWN },
      };
    },
  ],
];
