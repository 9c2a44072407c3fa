import { canonicalKeyword } from '@meridian/contract/access-keywords';
import type { meSignIn } from '@meridian/contract/me/account';
import type { SignInError } from '@meridian/contract/me/sign-in-errors';
import type { BodyOf } from '@meridian/contract/endpoint';
import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../http/app-error.ts';
import { ConnectError } from '../../network/connector.ts';
import type { ConnectedAccount, Connector } from '../../network/connector.ts';
import { countKeywordUse, findUsableKeyword } from '../access-keywords/access-keywords.store.ts';
import { connectAccount } from '../accounts/accounts.store.ts';
import { hashToken } from '../sessions/session-token.ts';
import { getSettings } from '../settings/settings.store.ts';
import { countKeywordGuess, countSignIn } from './member-limits.ts';
import { openMemberSession, randomToken } from './member-sessions.service.ts';
import * as store from './sign-in.store.ts';

export type SignedIn = { token: string } | { error: SignInError };

export function createSignInService(db: Database, connector: Connector | null) {
  function requireConnector(): Connector {
    if (connector === null) throw new AppError('sign_in_off');
    return connector;
  }

  async function keywordId(word: string | undefined, from: string): Promise<string | null> {
    if (word === undefined) return null;
    const guess = await countKeywordGuess(db, from);
    const id = await findUsableKeyword(db, canonicalKeyword(word));
    if (id === null) throw new AppError('keyword_refused');
    await guess.refund();
    return id;
  }

  async function consentAddress(typed: string, state: string): Promise<string> {
    // A handle that was copied comes with marks of direction.
    const name = typed
      .replaceAll(/\p{Cf}/gu, '')
      .replace(/^@/, '')
      .toLowerCase();
    try {
      const address = await requireConnector().begin(name, state);
      if (address === null) throw new AppError('handle_not_found');
      return String(address);
    } catch (error) {
      if (!(error instanceof ConnectError)) throw error;
      throw new AppError('host_unreachable', { cause: error, retryAfterSeconds: 60 });
    }
  }

  async function finishAt(query: URLSearchParams): Promise<ConnectedAccount | SignInError> {
    try {
      return await requireConnector().finish(query);
    } catch (error) {
      if (error instanceof ConnectError) return error.reason;
      throw error;
    }
  }

  return {
    /** Where the browser goes next, and the state that it keeps until it comes back. */
    async begin(
      { handle, keyword }: BodyOf<typeof meSignIn>,
      from: string,
    ): Promise<{ redirectTo: string; state: string }> {
      requireConnector();
      const { is_service_suspended } = await getSettings(db);
      if (is_service_suspended) throw new AppError('service_suspended', { retryAfterSeconds: 60 });
      await countSignIn(db, from);
      const keywordUsed = await keywordId(keyword, from);
      const state = randomToken();
      const redirectTo = await consentAddress(handle, state);
      await store.insertSignIn(db, { stateHash: hashToken(state), keywordId: keywordUsed });
      return { redirectTo, state };
    },

    /** `state` is what this browser kept: the response to another browser's sign-in opens nothing. */
    async finish(query: URLSearchParams, state: string | null): Promise<SignedIn> {
      const signIn = state === null ? null : await store.takeSignIn(db, hashToken(state));
      if (signIn === null) return { error: 'expired' };
      const account = await finishAt(query);
      if (typeof account === 'string') return { error: account };
      if (account.state !== state) return { error: 'expired' };
      const result = await db.transaction((tx) => admit(tx, account, signIn.keywordId));
      // Nothing is kept of a person who was not let in.
      if ('error' in result && result.isUnknown) await requireConnector().disconnect(account.did);
      return result;
    },
  };
}

type Admission = { token: string } | { error: SignInError; isUnknown: boolean };

async function admit(
  tx: Db,
  account: ConnectedAccount,
  keywordId: string | null,
): Promise<Admission> {
  const door = await store.lockDoor(tx);
  const person = await store.lockPerson(tx, account.did);
  const refused = (error: SignInError) => ({ error, isUnknown: person === null });
  if (door.isSuspended) return refused('suspended');
  if (person?.isBlocked) return refused('blocked');
  const isNew = person === null || (person.isNewcomer && !person.hasKeyword);
  const needsKeyword = door.isClosedBeta && isNew;
  if (needsKeyword && keywordId === null) return refused('closed_beta');
  if (needsKeyword && keywordId !== null && !(await countKeywordUse(tx, keywordId))) {
    return refused('wrong_keyword');
  }
  const userId = await store.upsertPerson(tx, account, needsKeyword);
  await connectAccount(tx, { userId, host: account.host });
  return { token: await openMemberSession(tx, userId) };
}
