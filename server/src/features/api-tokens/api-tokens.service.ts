import { API_TOKENS_MAX, MEMBER_TOKENS_MAX, TOKEN_DAYS_MAX } from '@meridian/contract/api-tokens';
import type {
  apiTokenCreate,
  ApiToken,
  MemberToken,
  meTokenCreate,
} from '@meridian/contract/api-tokens';
import type { BodyOf, Endpoint } from '@meridian/contract/endpoint';
import type { Author } from '../../audit/audit.store.ts';
import { record } from '../../audit/audit.store.ts';
import type { Database } from '../../db/database.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { SessionActor } from '../../http/register.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { isUuid } from '../../http/register.ts';
import { createRequestCount } from '../../http/limits.ts';
import { createSessionLookup, hashToken, newToken } from '../sessions/sessions.service.ts';
import * as store from './api-tokens.store.ts';
import type { LiveToken, Owner, Whose } from './api-tokens.store.ts';

const BAD_EXPIRY = `Expiry must be in the future, at most ${TOKEN_DAYS_MAX} days from now`;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

type NewToken = Omit<BodyOf<typeof apiTokenCreate>, 'origins'> & { origins?: readonly string[] };
type OwnToken = BodyOf<typeof meTokenCreate>;

export type ApiTokens = ReturnType<typeof createApiTokens>;

/** `requestsPerMinute` of each token; 0 for any number. */
export function createApiTokens(db: Database, requestsPerMinute: number) {
  const find = createSessionLookup((hashes) => store.findLiveTokens(db, hashes));
  const countRequest = createRequestCount(requestsPerMinute);

  /** The live token with the right to make this call. Calls that it may not make are counted too. */
  async function authenticate(token: string, call: Endpoint | undefined): Promise<LiveToken> {
    const found = await find(hashToken(token));
    if (found === null) throw new AppError('token_ended');
    countRequest(found.id);
    const right = call?.right ?? null;
    if (right === null) throw new AppError('session_required');
    if (right !== 'any' && !found.rights.includes(right)) {
      throw new AppError('right_missing', { message: `This API token lacks the right ${right}` });
    }
    if (found.is_stale) await store.touchToken(db, found.id);
    return found;
  }

  return {
    authenticate,

    /** Names both the service and the member for whom it is about to make a call. */
    async recordCall(by: Author, call: string, userId: string): Promise<void> {
      const about = { id: userId, before: null, after: { call } };
      await db.transaction((tx) => record(tx, { by, action: 'memberCall' }, about));
    },

    /** The administrator for whom a token makes a call, with the token as an actor of its own. */
    async administratorOf(token: string, call: Endpoint | undefined): Promise<SessionActor> {
      const { admin_id, display_name, token_hash, ...row } = await authenticate(token, call);
      if (admin_id === null) throw new AppError('session_required');
      return {
        adminId: admin_id,
        username: actorName(row),
        displayName: display_name,
        tokenHash: Buffer.from(token_hash, 'hex'),
      };
    },

    /** Administrators see and revoke the tokens of each other. */
    ofAdministrators: (by: Author) => tokensOf<ApiToken>(db, 'administrators', by),

    ofMember(userId: string, by: Author) {
      const own = tokensOf<MemberToken>(db, { userId }, by);
      return {
        ...own,
        create: (body: OwnToken) => own.create({ userId }, { ...body, rights: ['members'] }),
      };
    },
  };
}

/** Everything that `by` does with the tokens of `whose`. */
function tokensOf<Token extends MemberToken>(db: Database, whose: Whose, by: Author) {
  const shown = async (id: string): Promise<Token> => {
    const token = await store.findToken<Token>(db, whose, id);
    if (token === null) throw new AppError('api_token_not_found');
    return token;
  };
  return {
    list: () => store.listTokens<Token>(db, whose),

    async create(owner: Owner, { origins = [], ...body }: NewToken) {
      const [id, token] = [uuidV7(), newToken('mer')];
      const most = 'adminId' in owner ? API_TOKENS_MAX : MEMBER_TOKENS_MAX;
      const row = { ...body, id, tokenHash: hashToken(token), origins: origins.map(originOf) };
      await db.transaction(async (tx) => {
        if ((await store.countTokens(tx, owner)) >= most) throw new AppError('too_many_tokens');
        const isMade = await store.insertToken(tx, owner, row, { by, action: 'apiTokenCreate' });
        if (!isMade) throw invalidField('expiresAt', BAD_EXPIRY);
      });
      return { apiToken: await shown(id), token };
    },

    /** Only by its owner, since the new token acts as the owner, and by the operator of the machine. */
    async rotate(id: string, graceMinutes: number) {
      const token = newToken('mer');
      const change = { id, tokenHash: hashToken(token), graceMinutes };
      const own =
        whose === 'administrators' && by.adminId !== null ? { adminId: by.adminId } : whose;
      const audit = { by, action: 'apiTokenRotate' } as const;
      const isDone = isUuid(id) && (await store.rotateToken(db, own, change, audit));
      if (!isDone) throw new AppError('api_token_not_found');
      return { apiToken: await shown(id), token };
    },

    async revoke(id: string): Promise<Token> {
      const audit = { by, action: 'apiTokenRevoke' } as const;
      const isDone = isUuid(id) && (await store.revokeToken(db, whose, id, audit));
      if (!isDone) throw new AppError('api_token_not_found');
      return shown(id);
    },
  };
}

/** An administrator's token in the audit log. */
export function actorName({ username, name }: Pick<LiveToken, 'username' | 'name'>): string {
  return `${username} (token ${name})`;
}

function originOf(text: string): string {
  const url = URL.parse(text);
  if (url?.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    throw invalidField('origins', `${text} needs https; http is for localhost alone`);
  }
  if (!/^https?:$/.test(url?.protocol ?? '') || url?.origin !== text) {
    throw invalidField('origins', `${text} is no origin, like https://app.example.com`);
  }
  return text;
}
