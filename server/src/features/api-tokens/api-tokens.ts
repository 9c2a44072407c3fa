import {
  API_TOKENS_MAX,
  MEMBER_TOKENS_MAX,
  TOKEN_DAYS_MAX,
  apiTokenCreate,
  apiTokenList,
  apiTokenRevoke,
  apiTokenRotate,
  meTokenCreate,
  meTokenList,
  meTokenRevoke,
  meTokenRotate,
} from '@meridian/contract/api-tokens';
import type { ApiToken, MemberToken } from '@meridian/contract/api-tokens';
import type { BodyOf, Endpoint, Right } from '@meridian/contract/endpoint';
import type { FastifyInstance } from 'fastify';
import { entryOf, record } from '../../audit/audit.store.ts';
import type { AuditContext, Author } from '../../audit/audit.store.ts';
import { uuidV7 } from '../../db/columns.ts';
import type { Database, Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { AppError, invalidField } from '../../http/errors.ts';
import { networkOf } from '../../http/guards.ts';
import { createRequestCount } from '../../http/limits.ts';
import { isUuid, register, registerMember } from '../../http/register.ts';
import type { MemberInput, SessionActor } from '../../http/register.ts';
import { createSessionLookup, hashToken, newToken } from '../sessions/sessions.service.ts';

type Services = { apiTokens: ApiTokens };

export function apiTokensRoutes(app: FastifyInstance, { apiTokens }: Services): void {
  const shared = apiTokens.ofAdministrators;
  register(app, apiTokenList, async ({ actor }) => ({ apiTokens: await shared(actor).list() }));
  register(app, apiTokenCreate, ({ actor, body }) =>
    shared(actor).create({ adminId: actor.adminId }, body),
  );
  register(app, apiTokenRotate, ({ actor, params, body }) =>
    shared(actor).rotate(params.id, body.graceMinutes),
  );
  register(app, apiTokenRevoke, async ({ actor, params }) => ({
    apiToken: await shared(actor).revoke(params.id),
  }));
}

export function memberTokensRoutes(app: FastifyInstance, { apiTokens }: Services): void {
  type Asked = Pick<MemberInput<typeof meTokenList>, 'member' | 'request'>;
  const own = ({ member, request }: Asked) =>
    apiTokens.ofMember(member.userId, {
      adminId: null,
      username: member.did,
      requestId: request.id,
      network: networkOf(request.ip),
    });
  registerMember(app, meTokenList, async (input) => ({ tokens: await own(input).list() }));
  registerMember(app, meTokenCreate, (input) => own(input).create(input.body));
  registerMember(app, meTokenRotate, (input) =>
    own(input).rotate(input.params.id, input.body.graceMinutes),
  );
  registerMember(app, meTokenRevoke, async (input) => ({
    apiToken: await own(input).revoke(input.params.id),
  }));
}

const BAD_EXPIRY = `Expiry must be in the future, at most ${TOKEN_DAYS_MAX} days from now`;
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])$/;

export type ApiTokens = ReturnType<typeof createApiTokens>;

/** A `requestsPerMinute` of 0 sets no limit. */
export function createApiTokens(db: Database, requestsPerMinute: number) {
  const find = createSessionLookup((hashes) => findLiveTokens(db, hashes));
  const countRequest = createRequestCount(requestsPerMinute);

  /** Calls that the token may not make are counted too. */
  async function authenticate(token: string, call: Endpoint | undefined): Promise<LiveToken> {
    const found = await find(hashToken(token));
    if (found === null) throw new AppError('token_ended');
    countRequest(found.id);
    const right = call?.right ?? null;
    if (right === null) throw new AppError('session_required');
    if (right !== 'any' && !found.rights.includes(right)) {
      throw new AppError('right_missing', { message: `This API token lacks the right ${right}` });
    }
    if (found.is_stale) {
      await db.execute(sql`update api_tokens set last_used_at = now() where id = ${found.id}`);
    }
    return found;
  }

  return {
    authenticate,

    async recordCall(by: Author, call: string, userId: string): Promise<void> {
      const about = { id: userId, before: null, after: { call } };
      await db.transaction((tx) => record(tx, { by, action: 'memberCall' }, about));
    },

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

    ofAdministrators: (by: Author) => tokensOf<ApiToken>(db, 'administrators', by),

    ofMember(userId: string, by: Author) {
      const own = tokensOf<MemberToken>(db, { userId }, by);
      return {
        ...own,
        create: (body: BodyOf<typeof meTokenCreate>) =>
          own.create({ userId }, { ...body, rights: ['members'] }),
      };
    },
  };
}

type Owner = { adminId: string } | { userId: string };
type Whose = Owner | 'administrators';
type NewToken = Omit<BodyOf<typeof apiTokenCreate>, 'origins'> & { origins?: readonly string[] };

function tokensOf<Token extends MemberToken>(db: Database, whose: Whose, by: Author) {
  const shown = async (id: string): Promise<Token> => {
    const token = await db.maybeOne<Token>(sql`${selectOf(whose)} and t.id = ${id}`);
    if (token === null) throw new AppError('api_token_not_found');
    return token;
  };
  const change = async (id: string, action: AuditContext['action'], changed: Sql) => {
    const entry = sql`with changed as (${changed}) ${entryOf({ by, action })}`;
    const isDone = isUuid(id) && (await db.execute(entry)) > 0;
    if (!isDone) throw new AppError('api_token_not_found');
  };
  return {
    list: () =>
      db.many<Token>(sql`${selectOf(whose)} and ${LIVE} order by t.created_at desc, t.id desc`),

    async create(owner: Owner, { origins = [], ...body }: NewToken) {
      const [id, token] = [uuidV7(), newToken('mer')];
      const most = 'adminId' in owner ? API_TOKENS_MAX : MEMBER_TOKENS_MAX;
      const row = { ...body, id, tokenHash: hashToken(token), origins: origins.map(originOf) };
      await db.transaction(async (tx) => {
        if ((await countTokens(tx, owner)) >= most) throw new AppError('too_many_tokens');
        const isMade = await insertToken(tx, owner, row, { by, action: 'apiTokenCreate' });
        if (!isMade) throw invalidField('expiresAt', BAD_EXPIRY);
      });
      return { apiToken: await shown(id), token };
    },

    /** Only the owner and the machine's operator may rotate, since the new token acts as the owner. */
    async rotate(id: string, graceMinutes: number) {
      const token = newToken('mer');
      const own =
        whose === 'administrators' && by.adminId !== null ? { adminId: by.adminId } : whose;
      const changed = sql`
        update api_tokens t set token_hash = ${hashToken(token)}, previous_hash = t.token_hash,
          previous_ends = now() + make_interval(mins => ${graceMinutes}::integer)
        where t.id = ${id} and ${isOf(own)} and ${LIVE}
        returning t.id, null::jsonb as was,
          jsonb_build_object('name', t.name, 'previousEnds', t.previous_ends) as became`;
      await change(id, 'apiTokenRotate', changed);
      return { apiToken: await shown(id), token };
    },

    async revoke(id: string): Promise<Token> {
      const changed = sql`
        update api_tokens t set revoked_at = now()
        where t.id = ${id} and ${isOf(whose)} and ${LIVE}
        returning t.id, jsonb_build_object('isRevoked', false) as was,
          jsonb_build_object('isRevoked', true) as became`;
      await change(id, 'apiTokenRevoke', changed);
      return shown(id);
    },
  };
}

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

export type LiveToken = {
  token_hash: string;
  id: string;
  name: string;
  rights: Right[];
  origins: string[];
  is_stale: boolean;
  admin_id: string | null;
  username: string | null;
  display_name: string | null;
  user_id: string | null;
};

const LIVE = sql`t.revoked_at is null and t.expires_at > now()`;
const STATE = sql`jsonb_build_object(
  'name', t.name, 'rights', to_jsonb(t.rights), 'origins', to_jsonb(t.origins), 'expiresAt', t.expires_at,
  'isRevoked', t.revoked_at is not null)`;

function isOf(whose: Whose): Sql {
  if (whose === 'administrators') return sql`t.admin_id is not null`;
  return 'adminId' in whose ? sql`t.admin_id = ${whose.adminId}` : sql`t.user_id = ${whose.userId}`;
}

function selectOf(whose: Whose): Sql {
  const ofAdministrators = sql`, t.rights, t.origins,
    (select username from admins a where a.id = t.admin_id) as owner`;
  return sql`
    select t.id, t.name, t.created_at as "createdAt", t.expires_at as "expiresAt", t.last_used_at as "lastUsedAt"
      ${whose === 'administrators' ? ofAdministrators : sql``}
    from api_tokens t where ${isOf(whose)}`;
}

/** Nothing is cached: a token that ends, or whose owner may not use the service, is refused at once. */
async function findLiveTokens(db: Db, hashes: readonly Buffer[]): Promise<LiveToken[]> {
  return db.many<LiveToken>(sql`
    select encode(sent.hash, 'hex') as token_hash, t.id, t.name, t.rights, t.origins,
      coalesce(t.last_used_at < now() - interval '1 minute', true) as is_stale,
      t.admin_id, a.username, a.display_name, t.user_id
    from unnest(${hashes}::bytea[]) as sent (hash)
      join api_tokens t on t.token_hash = sent.hash
        or (t.previous_hash = sent.hash and t.previous_ends > now())
      left join admins a on a.id = t.admin_id
      left join users u on u.id = t.user_id
    where ${LIVE} and a.disabled_at is null and u.is_active is not false
      and u.status is distinct from 'BLOCKED'`);
}

/** The lock on the owner lets two tokens at once count each other. */
async function countTokens(tx: Db, owner: Owner): Promise<number> {
  const lock =
    'adminId' in owner
      ? sql`select from admins where id = ${owner.adminId} for no key update`
      : sql`select from users where id = ${owner.userId} for no key update`;
  await tx.execute(lock);
  const { count } = await tx.one<{ count: number }>(sql`
    select count(*) from api_tokens t where ${isOf(owner)} and ${LIVE}`);
  return count;
}

async function insertToken(
  tx: Db,
  owner: Owner,
  token: Required<NewToken> & { id: string; tokenHash: Buffer },
  audit: AuditContext,
): Promise<boolean> {
  const { adminId, userId } = { adminId: null, userId: null, ...owner };
  const logged = await tx.execute(sql`
    with changed as (
      insert into api_tokens as t (id, admin_id, user_id, token_hash, name, rights, origins, expires_at)
      select ${token.id}::uuid, ${adminId}::uuid, ${userId}::uuid, ${token.tokenHash}::bytea, ${token.name},
        ${token.rights}::text[], ${token.origins}::text[], new.expires_at
      from (select ${token.expiresAt}::timestamptz as expires_at) new
      where new.expires_at > now() and new.expires_at <= now() + ${TOKEN_DAYS_MAX} * interval '24 hours'
      returning t.id, null::jsonb as was, ${STATE} as became)
    ${entryOf(audit)}`);
  return logged > 0;
}
