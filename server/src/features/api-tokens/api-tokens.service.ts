import { API_TOKENS_MAX, MEMBER_TOKENS_MAX } from '@meridian/contract/api-tokens';
import type { apiTokenCreate, ApiToken, MemberToken } from '@meridian/contract/api-tokens';
import type { BodyOf, Endpoint } from '@meridian/contract/endpoint';
import type { Author } from '../../audit/audit.store.ts';
import { record } from '../../audit/audit.store.ts';
import type { Database } from '../../db/database.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Actor, SessionActor } from '../../http/register.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { isUuid } from '../../http/register.ts';
import { createSessionLookup, hashToken, newToken } from '../sessions/sessions.service.ts';
import * as store from './api-tokens.store.ts';
import type { LiveToken, Owner, Revoker } from './api-tokens.store.ts';

type NewToken = Omit<BodyOf<typeof apiTokenCreate>, 'origins'> & { origins?: readonly string[] };
type Created<Token> = { apiToken: Token; token: string };

export type ApiTokens = ReturnType<typeof createApiTokens>;

export function createApiTokens(db: Database) {
  const find = createSessionLookup((hashes) => store.findLiveTokens(db, hashes));

  /** The live token with the right to make this call. */
  async function authenticate(token: string, call: Endpoint | undefined): Promise<LiveToken> {
    const found = await find(hashToken(token));
    if (found === null) throw new AppError('token_ended');
    const right = call?.right ?? null;
    if (right === null) throw new AppError('session_required');
    if (right !== 'any' && !found.rights.includes(right)) {
      throw new AppError('right_missing', { message: `This API token lacks the right ${right}` });
    }
    if (found.is_stale) await store.touchToken(db, found.id);
    return found;
  }

  async function create(owner: Owner, by: Author, { origins = [], ...body }: NewToken) {
    const [id, token] = [uuidV7(), newToken('mer')];
    const most = 'adminId' in owner ? API_TOKENS_MAX : MEMBER_TOKENS_MAX;
    const row = { ...body, id, tokenHash: hashToken(token), origins: origins.map(originOf) };
    await db.transaction(async (tx) => {
      if ((await store.countTokens(tx, owner)) >= most) throw new AppError('too_many_tokens');
      const isLive = await store.insertToken(tx, owner, row, { by, action: 'apiTokenCreate' });
      if (!isLive) throw invalidField('expiresAt', 'Expiry must be in the future');
    });
    return { id, token };
  }

  async function rotate(owner: Owner, by: Author, id: string, graceMinutes: number) {
    const token = newToken('mer');
    const change = { id, tokenHash: hashToken(token), graceMinutes };
    const isDone =
      isUuid(id) && (await store.rotateToken(db, owner, change, { by, action: 'apiTokenRotate' }));
    if (!isDone) throw new AppError('api_token_not_found');
    return token;
  }

  async function revoke(whose: Revoker, by: Author, id: string): Promise<void> {
    const isDone =
      isUuid(id) && (await store.revokeToken(db, whose, id, { by, action: 'apiTokenRevoke' }));
    if (!isDone) throw new AppError('api_token_not_found');
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

    ofAdministrators: {
      list: (): Promise<ApiToken[]> => store.listAdminTokens(db),

      async create(adminId: string, by: Author, body: NewToken): Promise<Created<ApiToken>> {
        const { id, token } = await create({ adminId }, by, body);
        return { apiToken: await given(store.findAdminToken(db, id)), token };
      },

      /** Only the owner may: the new token acts as the owner. */
      async rotate(by: Actor, id: string, graceMinutes: number): Promise<Created<ApiToken>> {
        const token = await rotate({ adminId: by.adminId }, by, id, graceMinutes);
        return { apiToken: await given(store.findAdminToken(db, id)), token };
      },

      async revoke(by: Author, id: string): Promise<ApiToken> {
        await revoke('administrator', by, id);
        return given(store.findAdminToken(db, id));
      },
    },

    ofMember(userId: string, by: Author) {
      const owner = { userId };
      return {
        list: (): Promise<MemberToken[]> => store.listMemberTokens(db, userId),

        async create(body: Pick<NewToken, 'name' | 'expiresAt'>): Promise<Created<MemberToken>> {
          const { id, token } = await create(owner, by, { ...body, rights: ['members'] });
          return { apiToken: await given(store.findMemberToken(db, userId, id)), token };
        },

        async rotate(id: string, graceMinutes: number): Promise<Created<MemberToken>> {
          const token = await rotate(owner, by, id, graceMinutes);
          return { apiToken: await given(store.findMemberToken(db, userId, id)), token };
        },

        async revoke(id: string): Promise<MemberToken> {
          await revoke(owner, by, id);
          return given(store.findMemberToken(db, userId, id));
        },
      };
    },
  };
}

async function given<Token>(reading: Promise<Token | null>): Promise<Token> {
  const token = await reading;
  if (token === null) throw new AppError('api_token_not_found');
  return token;
}

/** An administrator's token in the audit log. */
export function actorName({ username, name }: Pick<LiveToken, 'username' | 'name'>): string {
  return `${username} (token ${name})`;
}

function originOf(text: string): string {
  const url = URL.parse(text);
  const isWeb = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url));
  if (!isWeb || url?.origin !== text) {
    throw invalidField('origins', `${text} is no origin, like https://app.example.com`);
  }
  return text;
}

const isLoopback = ({ hostname }: URL) => /^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname);
