import { FIND_PART_MIN_LENGTH, FIND_RESULTS_MAX } from '@meridian/contract/find';
import type { FindResult } from '@meridian/contract/find';
import type { Database } from '../../db/database.ts';
import { isUuid } from '../../http/uuid.ts';
import { readTicketCode } from '../tickets/ticket-code.ts';
import * as store from './find.store.ts';

/** A pasted text names one of these. A user is named by a DID or a handle. */
type FindTarget =
  | { kind: 'id'; id: string }
  | { kind: 'user'; name: string }
  | { kind: 'post'; name: string; rkey: string }
  | { kind: 'code'; code: string }
  | { kind: 'text' };

const AT_URI = /^at:\/\/([^/]+)(?:\/app\.bsky\.feed\.post\/([^/?#]+))?\/?$/u;
/** On bsky.app, and on every other app with its addresses. */
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
    if (target.kind === 'id') return store.findById(db, target.id);
    if (target.kind === 'code') return store.findTicket(db, target.code);
    if (target.kind === 'text') return [];
    const { name } = target;
    const posts = target.kind === 'post' ? await store.findPosts(db, name, target.rkey) : [];
    // The author may be known when the post is not: it was written elsewhere, or deleted here.
    return posts.length > 0 ? posts : store.findUsers(db, name);
  }

  return {
    /** Exact results first, then users by a part of their names. */
    async find(text: string): Promise<FindResult[]> {
      const exact = await findExact(text);
      const part = text.replace(/^@/u, '');
      if (part.length < FIND_PART_MIN_LENGTH) return exact;
      const known = new Set(exact.map(({ id }) => id));
      const others = (await store.findPeople(db, part)).filter(({ id }) => !known.has(id));
      return [...exact, ...others].slice(0, FIND_RESULTS_MAX);
    },
  };
}
