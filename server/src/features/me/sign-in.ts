import { canonicalKeyword } from '@meridian/contract/access-keywords';
import type { BodyOf } from '@meridian/contract/endpoint';
import type { SignInError } from '@meridian/contract/me/sign-in-errors';
import { meSignIn, meSignInResult } from '@meridian/contract/me/account';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { networkOf } from '../../http/guards.ts';
import { registerPublic } from '../../http/register.ts';
import { CALLBACK_PATH, ConnectError, INVALID_HANDLE } from '../../network/network.ts';
import type { ConnectedAccount, Connector } from '../../network/network.ts';
import { countKeywordUse, findUsableKeyword } from '../access-keywords/access-keywords.ts';
import { connectAccount } from '../accounts/accounts.ts';
import type { ApiTokens, LiveToken } from '../api-tokens/api-tokens.ts';
import { hashToken, newSecret, tokenOfHeader } from '../sessions/sessions.service.ts';
import { getSettings } from '../settings/settings.ts';
import { countKeywordGuess, countServiceSignIn, countSignIn } from './member-limits.ts';
import {
  memberToken,
  openMemberSession,
  setCookie,
  setMemberCookie,
  tokenIn,
} from './member-sessions.ts';
import type { MemberSessions } from './member-sessions.ts';

const HOME = '/me';
const CONTINUE_PATH = '/api/me/sign-in/continue';
/** The cookie binds a sign-in to the browser that began it. */
const SIGN_IN_COOKIE = '__Host-sign-in';
const SIGN_IN_SECONDS = 10 * 60;
const WITHOUT_RETURN =
  'Send returnTo, the address at an origin of this API token to which the browser comes back';

type SignInServices = {
  signIn: ReturnType<typeof createSignInService>;
  memberSessions: MemberSessions;
  apiTokens: ApiTokens;
  config: Pick<Config, 'publicUrl'>;
};

export function signInRoutes(
  app: FastifyInstance,
  { signIn, memberSessions, apiTokens, config }: SignInServices,
): void {
  async function serviceOf({ headers, routeOptions }: FastifyRequest): Promise<LiveToken> {
    const token = tokenOfHeader(headers.authorization, 'mer');
    if (token === null) throw new AppError('unauthenticated', { message: 'Send an API token' });
    const service = await apiTokens.authenticate(token, routeOptions.config.endpoint);
    if (service.admin_id === null) throw new AppError('session_required');
    return service;
  }

  registerPublic(app, meSignIn, async ({ body, request, reply }) => {
    const network = networkOf(request.ip);
    const isOfProgram = /^bearer mer_/i.test(request.headers.authorization ?? '');
    if (body.returnTo === undefined && !isOfProgram) {
      const { redirectTo, state } = await signIn.begin(body, network);
      setCookie(reply, SIGN_IN_COOKIE, state, SIGN_IN_SECONDS);
      return { redirectTo };
    }
    const { id, origins } = await serviceOf(request);
    if (body.returnTo === undefined) throw invalidField('returnTo', WITHOUT_RETURN);
    const returnTo = URL.parse(body.returnTo);
    if (returnTo === null || !origins.includes(returnTo.origin)) {
      throw invalidField('returnTo', 'Return address must be at an origin of this API token');
    }
    const service = { tokenId: id, returnTo: returnTo.href };
    const { state } = await signIn.begin(body, network, service);
    const here = config.publicUrl ?? `${request.protocol}://${request.host}`;
    return { redirectTo: `${here}${CONTINUE_PATH}?state=${state}`, signInId: state };
  });

  registerPublic(app, meSignInResult, async ({ body, request }) => {
    const { id } = await serviceOf(request);
    return signIn.result(id, body);
  });

  app.get<{ Querystring: { state?: unknown } }>(CONTINUE_PATH, async ({ query }, reply) => {
    const { state } = query;
    const address = typeof state === 'string' ? await signIn.consentAddress(state) : null;
    if (typeof state !== 'string' || address === null) {
      return reply.redirect(`${HOME}?error=expired`);
    }
    setCookie(reply, SIGN_IN_COOKIE, state, SIGN_IN_SECONDS);
    return reply.redirect(address);
  });

  app.get(CALLBACK_PATH, async (request, reply) => {
    const [, query] = request.url.split('?', 2);
    const state = tokenIn(request, SIGN_IN_COOKIE);
    const { returnTo, ...result } = await signIn.finish(new URLSearchParams(query), state);
    setCookie(reply, SIGN_IN_COOKIE, '', 0);
    if (returnTo !== null) return returnToService(reply, returnTo, result);
    if ('error' in result) return reply.redirect(`${HOME}?error=${result.error}`);
    if (!('token' in result)) throw new Error('A sign-in without a service has a session');
    const before = memberToken(request);
    if (before !== null) await memberSessions.end(hashToken(before).toString('hex'));
    setMemberCookie(reply, result.token);
    return reply.redirect(HOME);
  });
}

/** A redirect that follows the form of a consent page may not leave for another origin; a refresh may. */
function returnToService(reply: FastifyReply, address: string, result: Result): FastifyReply {
  const url = new URL(address);
  if ('error' in result) url.searchParams.set('error', result.error);
  if ('code' in result) url.searchParams.set('code', result.code);
  return reply.header('refresh', `0;url=${url.href}`).type('text/plain').send('');
}

type Result = { token: string } | { code: string } | { error: SignInError };
type Service = { tokenId: string; returnTo: string };

export function createSignInService(db: Database, connector: Connector | null) {
  function requireConnector(): Connector {
    if (connector === null) throw new AppError('sign_in_off');
    return connector;
  }

  async function findKeywordId(word: string | undefined, from: string): Promise<string | null> {
    if (word === undefined) return null;
    const guess = await countKeywordGuess(db, from);
    const id = await findUsableKeyword(db, canonicalKeyword(word));
    if (id === null) throw new AppError('keyword_refused');
    await guess.refund();
    return id;
  }

  async function askForConsent(typed: string, state: string): Promise<string> {
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

  async function connect(query: URLSearchParams): Promise<ConnectedAccount | SignInError> {
    try {
      return await requireConnector().finish(query);
    } catch (error) {
      if (error instanceof ConnectError) return error.reason;
      throw error;
    }
  }

  return {
    async begin(
      { handle, keyword }: BodyOf<typeof meSignIn>,
      from: string,
      service: Service | null = null,
    ): Promise<{ redirectTo: string; state: string }> {
      requireConnector();
      const { is_service_suspended } = await getSettings(db);
      if (is_service_suspended) throw new AppError('service_suspended', { retryAfterSeconds: 60 });
      if (service === null) await countSignIn(db, from);
      else await countServiceSignIn(db, service.tokenId);
      const keywordId = await findKeywordId(keyword, from);
      const state = newSecret();
      const redirectTo = await askForConsent(handle, state);
      // The browser of a service's member comes for the address; another goes there at once.
      await db.execute(sql`
        insert into member_sign_ins (state_hash, keyword_id, token_id, return_to, consent_address, expires_at)
        values (${hashToken(state)}, ${keywordId}, ${service?.tokenId ?? null}, ${service?.returnTo ?? null},
                ${service && redirectTo}, ${EXPIRY})`);
      return { redirectTo, state };
    },

    async consentAddress(state: string): Promise<string | null> {
      const row = await db.maybeOne<{ address: string | null }>(sql`
        select consent_address as address from member_sign_ins
        where state_hash = ${hashToken(state)} and expires_at > now()`);
      return row?.address ?? null;
    },

    /** The result is given once, and only to the service that began the sign-in. */
    async result(tokenId: string, { signInId, code }: BodyOf<typeof meSignInResult>) {
      const found = await db.maybeOne<{ did: string; handle: string }>(sql`
        with taken as (
          delete from member_sign_ins
          where state_hash = ${codeHash(signInId, code)} and token_id = ${tokenId}
            and user_id is not null and expires_at > now() returning user_id)
        select u.did, u.handle from taken join users u on u.id = taken.user_id`);
      if (found === null) throw new AppError('sign_in_unfinished');
      return found;
    },

    /** `state` is what this browser kept: the response to another browser's sign-in opens nothing. */
    async finish(
      query: URLSearchParams,
      state: string | null,
    ): Promise<Result & { returnTo: string | null }> {
      const signIn = state === null ? null : await takeSignIn(db, hashToken(state));
      if (signIn === null || state === null) return { error: 'expired', returnTo: null };
      const { keywordId, service } = signIn;
      const returnTo = service?.returnTo ?? null;
      const account = await connect(query);
      if (typeof account === 'string') return { error: account, returnTo };
      if (account.state !== state) return { error: 'expired', returnTo };
      const result = await db.transaction(async (tx) => {
        const admission = await admit(tx, account, keywordId);
        if ('error' in admission) return admission;
        const { userId } = admission;
        if (service === null) return { token: await openMemberSession(tx, userId) };
        const code = newSecret();
        await tx.execute(sql`
          insert into member_sign_ins (state_hash, token_id, user_id, expires_at)
          values (${codeHash(state, code)}, ${service.tokenId}, ${userId}, ${EXPIRY})`);
        return { code };
      });
      // Nothing is kept of somebody who was not let in.
      if ('error' in result && result.isUnknown) await requireConnector().disconnect(account.did);
      return { ...result, returnTo };
    },
  };
}

const EXPIRY = sql`now() + make_interval(secs => ${sql.whole(SIGN_IN_SECONDS)})`;

/** One browser's code is worth nothing with another one's sign-in. */
const codeHash = (signInId: string, code: string) => hashToken(`${signInId} ${code}`);

function takeSignIn(db: Db, stateHash: Buffer) {
  return db.maybeOne<{ keywordId: string | null; service: Service | null }>(sql`
    with taken as (
      delete from member_sign_ins where state_hash = ${stateHash} and user_id is null
      returning keyword_id, token_id, return_to, expires_at)
    select keyword_id as "keywordId",
      case when token_id is not null then json_build_object('tokenId', token_id, 'returnTo', return_to) end as service
    from taken where expires_at > now()`);
}

type KnownUser = { isBlocked: boolean; isNewcomer: boolean; hasKeyword: boolean };
type Admission = { userId: string } | { error: SignInError; isUnknown: boolean };

async function admit(
  tx: Db,
  account: ConnectedAccount,
  keywordId: string | null,
): Promise<Admission> {
  // The share lock makes a switch of the settings wait until the sign-in is decided.
  const door = await tx.one<{ isSuspended: boolean; isClosedBeta: boolean }>(sql`
    select is_service_suspended as "isSuspended", is_closed_beta as "isClosedBeta"
    from service_settings for share`);
  const known = await tx.maybeOne<KnownUser>(sql`
    select not u.is_active or u.status = 'BLOCKED' as "isBlocked",
      coalesce(u.created_at >= s.closed_beta_at, s.is_closed_beta) as "isNewcomer",
      u.has_access_keyword_access as "hasKeyword"
    from users u cross join service_settings s where u.did = ${account.did} for no key update of u`);
  const refused = (error: SignInError) => ({ error, isUnknown: known === null });
  if (door.isSuspended) return refused('suspended');
  if (known?.isBlocked) return refused('blocked');
  const isNew = known === null || (known.isNewcomer && !known.hasKeyword);
  const needsKeyword = door.isClosedBeta && isNew;
  if (needsKeyword && keywordId === null) return refused('closed_beta');
  if (needsKeyword && keywordId !== null && !(await countKeywordUse(tx, keywordId))) {
    return refused('wrong_keyword');
  }
  const userId = await upsertUser(tx, account, needsKeyword);
  await connectAccount(tx, { userId, host: account.host });
  return { userId };
}

/** A user who is here already keeps what the network does not say. */
async function upsertUser(
  tx: Db,
  { did, handle, displayName, avatar }: ConnectedAccount,
  hasUsedKeyword: boolean,
): Promise<string> {
  const { id } = await tx.one<{ id: string }>(sql`
    insert into users as u (id, did, handle, display_name, avatar, has_access_keyword_access)
    values (new_row_id(), ${did}, ${handle}, ${displayName}, ${avatar}, ${hasUsedKeyword})
    on conflict (did) do update set
      handle = case when excluded.handle = ${INVALID_HANDLE} then u.handle else excluded.handle end,
      display_name = coalesce(excluded.display_name, u.display_name),
      avatar = coalesce(excluded.avatar, u.avatar),
      has_access_keyword_access = u.has_access_keyword_access or excluded.has_access_keyword_access
    returning id`);
  return id;
}
