import { randomBytes } from 'node:crypto';
import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { createSessionLookup } from '../sessions/session-lookup.ts';
import { hashToken } from '../sessions/session-token.ts';
import * as store from './member-sessions.store.ts';

/** A session that is live, as of this request. */
export type MemberSession = {
  userId: string;
  did: string;
  sessionId: string;
  status: string;
  isServiceSuspended: boolean;
  /** Its life was prolonged, and so the cookie's has to be. */
  isRenewed: boolean;
};

export type MemberSessions = ReturnType<typeof createMemberSessions>;

export function createMemberSessions(db: Database) {
  const find = createSessionLookup((hashes) => store.findMemberSessions(db, hashes));

  return {
    /** Throws when the session has ended, or its person may not use the service any more. */
    async authenticate(token: string): Promise<MemberSession> {
      const tokenHash = hashToken(token);
      const row = await find(tokenHash);
      if (row === null) throw new AppError('session_ended');
      if (row.is_stale) await store.renewMemberSession(db, tokenHash);
      return {
        userId: row.user_id,
        did: row.did,
        sessionId: row.token_hash,
        status: row.status,
        isServiceSuspended: row.is_service_suspended,
        isRenewed: row.is_stale,
      };
    },

    /** The member whom an API token names, as a session of `sessionId`. */
    async named(
      member: { userId: string } | { did: string },
      sessionId: string,
    ): Promise<MemberSession> {
      const row = await store.findNamedMember(db, member);
      if (row === null) throw new AppError('member_not_found');
      if (row.is_off) throw new AppError('member_off');
      return {
        userId: row.user_id,
        did: row.did,
        sessionId,
        status: row.status,
        isServiceSuspended: row.is_service_suspended,
        isRenewed: false,
      };
    },

    /** Whether the session of this token goes on; no use of it. */
    isLive: async (tokenHash: Buffer): Promise<boolean> => (await find(tokenHash)) !== null,

    end: (sessionId: string) => store.deleteMemberSession(db, Buffer.from(sessionId, 'hex')),

    deleteExpired: () => store.deleteExpiredMemberRows(db),
  };
}

/** Always a new token: one that was known before the sign-in is worth nothing after it. */
export async function openMemberSession(tx: Db, userId: string): Promise<string> {
  const token = randomToken();
  await store.insertMemberSession(tx, { tokenHash: hashToken(token), userId });
  return token;
}

/** Names a session without being able to use it. */
export function sessionIdOf(token: string): string {
  return hashToken(token).toString('hex');
}

/** 256 random bits. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}
