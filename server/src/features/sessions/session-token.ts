import { hash, randomBytes } from 'node:crypto';

// The prefix lets secret scanners recognise a leaked token.
const PREFIX = 'adm_';
const FORM = /^adm_[A-Za-z0-9_-]{43}$/;

export function newToken(): string {
  return PREFIX + randomBytes(32).toString('base64url');
}

/** The form in which the database stores a token; with 256 random bits a fast hash is enough. */
export function hashToken(token: string): Buffer {
  return Buffer.from(hash('sha256', token, 'hex'), 'hex');
}

/** The token of an `Authorization: Bearer` header; null when there is none of our form. */
export function tokenOfHeader(header: string | undefined): string | null {
  const [scheme, token, ...rest] = header?.split(' ') ?? [];
  if (scheme?.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0) return null;
  return FORM.test(token) ? token : null;
}
