import { createHash } from 'node:crypto';
import type { Author } from '../../audit/author.ts';
import type { LoginAttempt } from './login-throttle.ts';
import { networkOf } from './network.ts';

export type SignIn = LoginAttempt & { requestId: string };

/**
 * Whoever tries to sign in, for the record: by the name they claim when somebody has it. Any other
 * is hashed, since what people type as a name by mistake is sometimes their password.
 */
export function claimant(attempt: SignIn, admin: { username: string } | null): Author {
  const { username, address, requestId } = attempt;
  return {
    adminId: null,
    username: admin?.username ?? `unknown ${hashOf(username ?? '')}`,
    requestId,
    network: networkOf(address),
  };
}

function hashOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}
