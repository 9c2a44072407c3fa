import type { Admin, authLogin } from '@meridian/contract/auth';
import type { BodyOf } from '@meridian/contract/endpoint';
import DataLoader from 'dataloader';
import { hash, randomBytes } from 'node:crypto';
import { recordEvent } from '../../audit/audit.store.ts';
import type { Database } from '../../db/database.ts';
import { AppError } from '../../http/errors.ts';
import { networkOf } from '../../http/guards.ts';
import type { Actor, SessionActor } from '../../http/register.ts';
import {
  findAdmin,
  lockAdmin,
  upgradePasswordHash,
} from '../administrators/administrators.store.ts';
import type { AdminRow } from '../administrators/administrators.store.ts';
import { canonicalUsername } from '../administrators/username.ts';
import {
  hashPassword,
  isOutdated,
  unmatchableHash,
  verifyPassword,
} from '../passwords/passwords.ts';
import type { HashGate } from '../passwords/passwords.ts';
import { recordFailure } from '../sign-in-limits/attempts.store.ts';
import type { SignInFailure } from '../sign-in-limits/attempts.store.ts';
import type { SignInAttempt, SignInLimits } from '../sign-in-limits/sign-in-limits.ts';
import * as store from './sessions.store.ts';

const MAX_SESSIONS_PER_ADMIN = 10;

type SessionsOptions = {
  db: Database;
  hashGate: HashGate;
  limits: SignInLimits;
  session: store.SessionLimits;
};

type Attempt = SignInAttempt & { requestId: string };
type Verification = { claimed: AdminRow | null; admin: AdminRow | null };
export type SessionsService = ReturnType<typeof createSessionsService>;

export function createSessionsService({ db, hashGate, limits, session }: SessionsOptions) {
  // Unknown and disabled names are verified against this hash, at the same cost as others.
  const unmatchable = unmatchableHash();
  const findSession = createSessionLookup((tokenHashes) =>
    store.findSessions(db, tokenHashes, session),
  );

  async function findClaimed({ username }: Attempt): Promise<AdminRow | null> {
    return username === null ? null : findAdmin(db, username);
  }

  async function logFailure(
    action: SignInFailure['action'],
    { address, requestId }: Attempt,
    admin: AdminRow | null,
  ): Promise<void> {
    await recordFailure(db, { action, admin, requestId, network: networkOf(address) });
  }

  async function verify(
    password: string,
    attempt: Attempt,
    isKnown: boolean,
  ): Promise<Verification> {
    const claimed = await findClaimed(attempt);
    const active = claimed?.is_disabled === false ? claimed : null;
    const hash = active?.password_hash ?? unmatchable;
    const matches = await hashGate.run(() => verifyPassword(password, hash), { isKnown });
    if (!matches || active === null) return { claimed, admin: null };
    await limits.succeeded(attempt);
    return { claimed, admin: active };
  }

  async function upgradeHash(admin: AdminRow, password: string): Promise<void> {
    if (!isOutdated(admin.password_hash)) return;
    const upgraded = await hashGate.run(() => hashPassword(password), { isKnown: true });
    await upgradePasswordHash(db, admin, upgraded);
  }

  async function refuse(attempt: Attempt, claimed: AdminRow | null): Promise<never> {
    await logFailure('authLoginFailed', attempt, claimed);
    throw new AppError('invalid_credentials');
  }

  async function openSession(admin: AdminRow, attempt: Attempt): Promise<string | null> {
    const token = newToken();
    const tokenHash = hashToken(token);
    const { id: adminId, username } = admin;
    const { requestId, address } = attempt;
    const by = { adminId, username, requestId, network: networkOf(address) };
    return db.transaction(async (tx) => {
      // Concurrent sign-ins of one administrator have to count each other's sessions.
      const locked = await lockAdmin(tx, adminId);
      if (locked?.session_epoch !== admin.session_epoch) return null;
      await store.insertSession(tx, { tokenHash, admin, maxSeconds: session.maxSeconds });
      await store.revokeOldestSessions(tx, adminId, MAX_SESSIONS_PER_ADMIN);
      await recordEvent(tx, { by, action: 'authLogin' }, adminId);
      return token;
    });
  }

  return {
    async signIn(
      { username, password }: BodyOf<typeof authLogin>,
      from: Pick<Attempt, 'address' | 'requestId'>,
    ): Promise<{ token: string; admin: Admin }> {
      const attempt = { username: canonicalUsername(username), ...from };
      const reservation = await limits.reserve(attempt, async () =>
        logFailure('authThrottled', attempt, await findClaimed(attempt)),
      );
      const { claimed, admin } = await reservation.run(() =>
        verify(password, attempt, reservation.isKnown),
      );
      if (admin === null) return refuse(attempt, claimed);
      await upgradeHash(admin, password);
      const token = await openSession(admin, attempt);
      if (token === null) return refuse(attempt, admin);
      return { token, admin: { username: admin.username, displayName: admin.display_name } };
    },

    /** A request that is no use of the session does not prolong it. */
    async authenticate(token: string, { isUse = true } = {}): Promise<SessionActor> {
      const tokenHash = hashToken(token);
      const row = await findSession(tokenHash);
      if (row === null) throw new AppError('session_ended');
      if (row.is_stale && isUse) await store.touchSession(db, tokenHash, session);
      return {
        adminId: row.admin_id,
        username: row.username,
        displayName: row.display_name,
        tokenHash,
      };
    },

    isLive: async (tokenHash: Buffer): Promise<boolean> => (await findSession(tokenHash)) !== null,

    async signOut(actor: Actor): Promise<void> {
      await db.transaction(async (tx) => {
        const isRevoked = await store.revokeSession(tx, actor.tokenHash);
        // A concurrent request of the same session may have been faster.
        if (!isRevoked) return;
        await recordEvent(tx, { by: actor, action: 'authLogout' }, actor.adminId);
      });
    },

    deleteEnded: (): Promise<number> => store.deleteEndedSessions(db),
  };
}

/** Secret scanners recognise a leaked token by its prefix. */
type Prefix = 'adm' | 'mer';

export const SECRET = /^[A-Za-z0-9_-]{43}$/;

export const newSecret = () => randomBytes(32).toString('base64url');

export const newToken = (prefix: Prefix = 'adm') => `${prefix}_${newSecret()}`;

/** A fast hash is enough for 256 random bits. */
export function hashToken(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex'), 'hex');
}

export function tokenOfHeader(header: string | undefined, prefix: Prefix = 'adm'): string | null {
  const [scheme, token, ...rest] = header?.split(' ') ?? [];
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0) return null;
  return token.startsWith(`${prefix}_`) && SECRET.test(token.slice(4)) ? token : null;
}

/** No request shares a query that was sent before it arrived, so a revoked session is refused at once. */
export function createSessionLookup<Session extends { token_hash: string }>(
  find: (tokenHashes: readonly Buffer[]) => Promise<readonly Session[]>,
): (tokenHash: Buffer) => Promise<Session | null> {
  const loader = new DataLoader<Buffer, Session | null>(
    async (tokenHashes) => {
      const sessions = await find(tokenHashes);
      const byHash = new Map(sessions.map((session) => [session.token_hash, session]));
      return tokenHashes.map((tokenHash) => byHash.get(tokenHash.toString('hex')) ?? null);
    },
    { cache: false, batchScheduleFn: (send) => setImmediate(send) },
  );
  return (tokenHash) => loader.load(tokenHash);
}
