import { accessKeywordCreate, accessKeywordRevoke } from '@meridian/contract/access-keywords';
import { accountDisconnect } from '@meridian/contract/accounts';
import { apiTokenCreate, apiTokenRevoke, apiTokenRotate } from '@meridian/contract/api-tokens';
import type { Endpoint } from '@meridian/contract/endpoint';
import { expect } from 'vitest';
import { HOST } from '../../src/audit/audit.store.ts';
import type { SignedIn, TestApp } from '../app.ts';
import { insertUser } from '../fixtures.ts';
import { insertKeyword } from '../members.ts';
import { UNKNOWN } from './change.ts';
import type { Prepare } from './change.ts';

const A_TOKEN = {
  name: 'nightly',
  rights: ['posts:read' as const],
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
};

async function aToken({ context }: TestApp, { adminId }: SignedIn): Promise<string> {
  const { apiToken } = await context.apiTokens.ofAdministrators(HOST).create({ adminId }, A_TOKEN);
  return apiToken.id;
}

/** Changes of how people and programs come in. */
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
  [
    apiTokenCreate,
    async () => ({
      call: { body: A_TOKEN },
      before: null,
      after: { ...A_TOKEN, expiresAt: expect.any(String), origins: [], isRevoked: false },
      refused: { body: { ...A_TOKEN, expiresAt: '2020-01-01T00:00:00.000Z' } },
    }),
  ],
  [
    apiTokenRotate,
    async (test, admin) => {
      const id = await aToken(test, admin);
      const body = { graceMinutes: 5 };
      const after = { name: A_TOKEN.name, previousEnds: expect.any(String) };
      const refused = { params: UNKNOWN, body };
      return { call: { params: { id }, body }, id, before: null, after, refused };
    },
  ],
  [
    apiTokenRevoke,
    async (test, admin) => {
      const id = await aToken(test, admin);
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
