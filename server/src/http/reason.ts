import { reasonText } from '@meridian/contract/audit';
import { REASON_HEADER } from '@meridian/contract/requests';
import type { FastifyRequest } from 'fastify';
import { invalidField } from './app-error.ts';

const NAME = REASON_HEADER.toLowerCase();

/** Why the administrator makes this change, for the audit log; null when no reason was sent. */
export function reasonOf({ headers, method }: FastifyRequest): string | null {
  const header = headers[NAME];
  if (method === 'GET' || typeof header !== 'string' || header === '') return null;
  const { success, data, error } = reasonText.safeParse(decoded(header));
  if (success) return data;
  throw invalidField('reason', error.issues[0]?.message ?? 'The reason is not valid');
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    throw invalidField('reason', `${REASON_HEADER} must be percent-encoded UTF-8`);
  }
}
