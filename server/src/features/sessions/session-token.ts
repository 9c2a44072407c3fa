import { hash, randomBytes } from 'node:crypto';

/** A session's prefix, or that of an API token. It lets secret scanners recognise a leaked one. */
type Prefix = 'adm' | 'mer';

const SECRET = /^[A-Za-z0-9_-]{43}$/;

export function newToken(prefix: Prefix = 'adm'): string {
  return `${prefix}_${randomBytes(32).toString('base64url')}`;
}

/** The form in which the database stores a token; with 256 random bits a fast hash is enough. */
export function hashToken(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex'), 'hex');
}

/** The token of an `Authorization: Bearer` header; null when there is none of this form. */
export function tokenOfHeader(header: string | undefined, prefix: Prefix = 'adm'): string | null {
  const [scheme, token, ...rest] = header?.split(' ') ?? [];
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0) return null;
  return token.startsWith(`${prefix}_`) && SECRET.test(token.slice(4)) ? token : null;
}
