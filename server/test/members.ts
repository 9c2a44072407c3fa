import { MEMBER_HEADER } from '@meridian/contract/api-tokens';
import { MEMBER_COOKIE, meSignIn } from '@meridian/contract/me/account';
import { parseSetCookie, stringifyCookie } from 'cookie';
import type { FastifyInstance, InjectOptions } from 'fastify';
import { HOST } from '../src/audit/audit.store.ts';
import type { Db } from '../src/db/database.ts';
import { sql } from '../src/db/sql.ts';
import { openMemberSession } from '../src/features/me/member-sessions.ts';
import { CONSENT_PATH } from '../src/network/local/paths.ts';
import type { TestApp } from './app.ts';

/** Headers of the browser of a person who is signed in, without the way through the account's host. */
export async function signInMember({ db }: { db: Db }, userId: string) {
  return { cookie: `${MEMBER_COOKIE}=${await openMemberSession(db, userId)}` };
}

/** The three ways in: the page, a token of the member, and that of a service, whose owner is the administrator. */
export async function waysIn({ db, context }: TestApp, userId: string, adminId: string) {
  const { apiTokens } = context;
  const { did } = await db.one<{ did: string }>(sql`select did from users where id = ${userId}`);
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
  const named = { name: 'way in', expiresAt };
  const own = await apiTokens.ofMember(userId, HOST).create(named);
  const service = await apiTokens
    .ofAdministrators(HOST)
    .create({ adminId }, { ...named, rights: ['members'] });
  return [
    await signInMember({ db }, userId),
    { authorization: `Bearer ${own.token}` },
    { authorization: `Bearer ${service.token}`, [MEMBER_HEADER]: did },
  ] as const;
}

/** Keeps cookies, as a browser does. */
export function createBrowser({ app }: { app: FastifyInstance }) {
  const cookies = new Map<string, string>();

  async function send(options: InjectOptions) {
    const cookie = stringifyCookie(Object.fromEntries(cookies));
    const response = await app.inject({ ...options, headers: { ...options.headers, cookie } });
    for (const line of [response.headers['set-cookie'] ?? []].flat()) {
      const { name, value = '', maxAge } = parseSetCookie(line);
      if (maxAge === 0) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  const begin = (handle: string, keyword?: string) =>
    send({ method: 'POST', url: meSignIn.path, payload: { handle, keyword } });

  /** Submits the form of the consent page; the response leads to the callback. */
  const consent = (state: string, fields: Record<string, string>) =>
    send({
      method: 'POST',
      url: CONSENT_PATH,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ state, ...fields }).toString(),
    });

  return {
    cookies,
    send,
    begin,
    consent,

    /** All the way through the local network: where the browser ends. */
    async signIn(handle: string, keyword?: string): Promise<string> {
      const begun = await begin(handle, keyword);
      const { redirectTo } = begun.json<{ redirectTo: string }>();
      const state = new URLSearchParams(redirectTo.split('?')[1]).get('state') ?? '';
      const { headers } = await consent(state, { handle, decision: 'allow' });
      const arrived = await send({ url: String(headers.location) });
      return String(arrived.headers.location);
    },
  };
}

export type KeywordFixture = { word: string; maxUses?: number; uses?: number; expiresAt?: string };

/** Needs an administrator, who is its author. Returns the id. */
export async function insertKeyword(db: Db, keyword: KeywordFixture): Promise<string> {
  const { word, maxUses = null, uses = 0, expiresAt = null } = keyword;
  const { id } = await db.one<{ id: string }>(sql`
    insert into access_keywords (id, word, uses, max_uses, expires_at, created_by)
    select gen_random_uuid(), ${word}, ${uses}, ${maxUses}, ${expiresAt}, id from admins limit 1
    returning id`);
  return id;
}
