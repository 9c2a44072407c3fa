import {
  FIND_KINDS,
  FIND_PART_MIN_LENGTH,
  FIND_RESULTS_MAX,
  findGet,
} from '@meridian/contract/find';
import type { FindResult } from '@meridian/contract/find';
import type { FastifyInstance } from 'fastify';
import type { Database, Db } from '../../db/database.ts';
import { escapeLike, sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { isUuid, register } from '../../http/register.ts';
import { NOUNS } from '../nouns.ts';
import { readTicketCode } from '../tickets/tickets.service.ts';
import { hasPart, indexedPart, isLike, partPattern } from '../users/users.store.ts';

export function findRoutes(
  app: FastifyInstance,
  { find }: { find: ReturnType<typeof createFindService> },
): void {
  register(app, findGet, async ({ query }) => ({ results: await find.find(query.q) }));
}

type FindTarget =
  | { kind: 'id'; id: string }
  | { kind: 'user'; name: string }
  | { kind: 'post'; name: string; rkey: string }
  | { kind: 'code'; code: string }
  | { kind: 'text' };

const AT_URI = /^at:\/\/([^/]+)(?:\/app\.bsky\.feed\.post\/([^/?#]+))?\/?$/u;
const PROFILE_PATH = /^\/profile\/([^/]+)(?:\/post\/([^/]+))?\/?$/u;
const HANDLE = /^@?((?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z][a-z\d-]{0,62})$/iu;
const DID = /^did:[a-z]+:[\w.:%-]+$/u;

export function findTarget(text: string): FindTarget {
  if (isUuid(text)) return { kind: 'id', id: text.toLowerCase() };
  if (DID.test(text)) return { kind: 'user', name: text };
  const parts = AT_URI.exec(text) ?? profileParts(text);
  if (parts !== null) return userOrPost(parts);
  const code = readTicketCode(text);
  if (code !== null) return { kind: 'code', code };
  const handle = HANDLE.exec(text);
  return handle === null ? { kind: 'text' } : userOrPost(handle);
}

function userOrPost([, name = '', rkey]: RegExpExecArray): FindTarget {
  const plain = name.replace(/^@/u, '');
  return rkey === undefined ? { kind: 'user', name: plain } : { kind: 'post', name: plain, rkey };
}

function profileParts(text: string): RegExpExecArray | null {
  const address = /^[\w.-]+\/profile\//u.test(text) ? `https://${text}` : text;
  if (!URL.canParse(address)) return null;
  const { protocol, pathname } = new URL(address);
  if (protocol !== 'https:' && protocol !== 'http:') return null;
  try {
    return PROFILE_PATH.exec(decodeURIComponent(pathname));
  } catch {
    return null;
  }
}

export function createFindService(db: Database) {
  async function findExact(text: string): Promise<FindResult[]> {
    const target = findTarget(text);
    if (target.kind === 'id') return findById(db, target.id);
    if (target.kind === 'code') return findTicket(db, target.code);
    if (target.kind === 'text') return [];
    const { name } = target;
    const posts = target.kind === 'post' ? await findPosts(db, name, target.rkey) : [];
    // The user may be known when the post is not: it was written elsewhere, or deleted here.
    return posts.length > 0 ? posts : findUsers(db, name);
  }

  return {
    async find(text: string): Promise<FindResult[]> {
      const exact = await findExact(text);
      const part = text.replace(/^@/u, '');
      if (part.length < FIND_PART_MIN_LENGTH) return exact;
      const known = new Set(exact.map(({ id }) => id));
      const others = (await findUsersByPart(db, part)).filter(({ id }) => !known.has(id));
      return [...exact, ...others].slice(0, FIND_RESULTS_MAX);
    },
  };
}

const MOST = sql.whole(FIND_RESULTS_MAX);
const COMPARED_MAX = sql.whole(200);

const POST = NOUNS.post.found.select;
const USER = NOUNS.user.found.select;
const TICKET = NOUNS.ticket.found.select;

export async function findById(db: Db, id: string): Promise<FindResult[]> {
  const selects = FIND_KINDS.map((kind) => {
    const { found } = NOUNS[kind];
    return sql`${found.select} where ${found.id} = ${id}`;
  });
  return db.many<FindResult>(sql.join(selects, sql` union all `));
}

export async function findTicket(db: Db, code: string): Promise<FindResult[]> {
  return db.many<FindResult>(sql`${TICKET} where t.code = ${code}`);
}

/** Handles change hands, so several users may claim one. */
export async function findUsers(db: Db, name: string): Promise<FindResult[]> {
  return db.many<FindResult>(sql`${USER} where ${isNamed(name)} limit ${MOST}`);
}

export async function findPosts(db: Db, name: string, rkey: string): Promise<FindResult[]> {
  return db.many<FindResult>(sql`
    ${POST} where ${isNamed(name)} and t.at_rkey = ${rkey} limit ${MOST}`);
}

function isNamed(name: string): Sql {
  if (name.startsWith('did:')) return sql`u.did = ${name}`;
  const beginning = sql`lower(${`${escapeLike(indexedPart(name))}%`})`;
  return isLike(beginning, sql`lower(${`${escapeLike(name)}\n%`})`);
}

export async function findUsersByPart(db: Db, part: string): Promise<FindResult[]> {
  return db.many<FindResult>(sql`
    ${USER} where u.id = any(array(
      select id from users where ${hasPart(part)} or lower(display_name) like ${partPattern(part)}
      limit ${COMPARED_MAX}))
    order by u.search_text like lower(${`${escapeLike(part)}%`}) desc, length(u.handle), u.handle
    limit ${MOST}`);
}
