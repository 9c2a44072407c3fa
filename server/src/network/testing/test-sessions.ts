import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { invalidRequest, XrpcError } from '../local/local-repo.ts';

/** Of the process: a token ends with it. */
const SECRET = randomBytes(32);

export type TestSessions = {
  /** The session's token. */
  create(did: string | null, password: string): string;
  /** The DID that the request is authorized for. */
  didOf(authorization: string | undefined): string;
};

/** Sessions over HTTP. One password opens every account. */
export function createTestSessions(password: string): TestSessions {
  return {
    create(did, given) {
      if (did === null || !isSame(given, password)) {
        throw new XrpcError(401, 'AuthenticationRequired', 'Invalid identifier or password');
      }
      return `${Buffer.from(did).toString('base64url')}.${sign(did)}`;
    },
    didOf(authorization) {
      if (authorization === undefined) {
        throw new XrpcError(401, 'AuthMissing', 'Authentication Required');
      }
      const [, encoded = '', signature = ''] =
        /^Bearer ([\w-]+)\.([\w-]+)$/i.exec(authorization) ?? [];
      const did = Buffer.from(encoded, 'base64url').toString();
      if (!isSame(signature, sign(did))) {
        throw invalidRequest('Token could not be verified', 'InvalidToken');
      }
      return did;
    },
  };
}

function sign(text: string): string {
  return createHmac('sha256', SECRET).update(text).digest('base64url');
}

function isSame(given: string, expected: string): boolean {
  // Of equal length, and without telling where they differ.
  return timingSafeEqual(Buffer.from(sign(given)), Buffer.from(sign(expected)));
}
