import { isUuid } from '../../http/uuid.ts';
import { readTicketCode } from '../tickets/ticket-code.ts';

/** What a pasted text names. A user is named by a DID or a handle. */
export type FindTarget =
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
