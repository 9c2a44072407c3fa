import { canonicalKeyword } from '@meridian/contract/access-keywords';
import type { meSignIn, meSignInResult } from '@meridian/contract/me/account';
import type { SignInError } from '@meridian/contract/errors';
import type { BodyOf } from '@meridian/contract/endpoint';
import type { Database, Db } from '../../db/database.ts';
import { AppError } from '../../http/errors.ts';
import { ConnectError } from '../../network/network.ts';
import type { ConnectedAccount, Connector } from '../../network/network.ts';
import { countKeywordUse, findUsableKeyword } from '../access-keywords/access-keywords.ts';
import { connectAccount } from '../accounts/accounts.ts';
import { hashToken } from '../sessions/sessions.service.ts';
import { getSettings } from '../settings/settings.ts';
import { countKeywordGuess, countServiceSignIn, countSignIn } from './member-limits.ts';
import { openMemberSession, randomToken } from './member-sessions.ts';
import * as store from './sign-in.store.ts';

/** A session of the page, or a code for the service that began the sign-in. */
export type SignedIn = ({ token: string } | { code: string } | { error: SignInError }) & {
  returnTo: string | null;
};

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
      service: store.ForService | null = null,
    ): Promise<{ redirectTo: string; state: string }> {
      requireConnector();
      const { is_service_suspended } = await getSettings(db);
      if (is_service_suspended) throw new AppError('service_suspended', { retryAfterSeconds: 60 });
      if (service === null) await countSignIn(db, from);
      else await countServiceSignIn(db, service.tokenId);
      const keywordUsed = await keywordId(keyword, from);
      const state = randomToken();
      const redirectTo = await consentAddress(handle, state);
      await store.insertSignIn(db, {
        stateHash: hashToken(state),
        keywordId: keywordUsed,
        service,
        consentAddress: service === null ? null : redirectTo,
      });
      return { redirectTo, state };
    },

    /** The browser of a service's member goes there to consent. */
    consentAddress: (state: string) => store.findConsentAddress(db, hashToken(state)),

    /** Once, to the service that began the sign-in in the session of the browser that came back with the code. */
    async result(tokenId: string, { signInId, code }: BodyOf<typeof meSignInResult>) {
      const found = await store.takeResult(db, codeHash(signInId, code), tokenId);
      if (found === null) throw new AppError('sign_in_unfinished');
      return found;
    },

    /** `state` is what this browser kept: the response to another browser's sign-in opens nothing. */
    async finish(query: URLSearchParams, state: string | null): Promise<SignedIn> {
      const signIn = state === null ? null : await store.takeSignIn(db, hashToken(state));
      if (signIn === null || state === null) return { error: 'expired', returnTo: null };
      const { keywordId: keywordUsed, service } = signIn;
      const returnTo = service?.returnTo ?? null;
      const account = await finishAt(query);
      if (typeof account === 'string') return { error: account, returnTo };
      if (account.state !== state) return { error: 'expired', returnTo };
      const result = await db.transaction(async (tx) => {
        const admission = await admit(tx, account, keywordUsed);
        if ('error' in admission) return admission;
        const { userId } = admission;
        if (service === null) return { token: await openMemberSession(tx, userId) };
        const code = randomToken();
        const { tokenId } = service;
        await store.insertResult(tx, { codeHash: codeHash(state, code), tokenId, userId });
        return { code };
      });
      // Nothing is kept of a person who was not let in.
      if ('error' in result && result.isUnknown) await requireConnector().disconnect(account.did);
      return { ...result, returnTo };
    },
  };
}

/** One browser's code is worth nothing with another one's sign-in. */
const codeHash = (signInId: string, code: string) => hashToken(`${signInId} ${code}`);

type Admission = { userId: string } | { error: SignInError; isUnknown: boolean };

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
  return { userId };
}
