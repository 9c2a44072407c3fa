import type { Endpoint } from '@meridian/contract/endpoint';
import { ERRORS } from '@meridian/contract/errors';
import type { ErrorBody, ErrorCode } from '@meridian/contract/errors';
import { newToken } from '../src/features/sessions/session-token.ts';
import type { Call, CallOptions } from './call.ts';

type Refusal = { status: number; code: string; message: string };

/** What a refused call answered, without what differs from call to call. */
export function refusal(answer: { status: number; readonly error: ErrorBody }): Refusal {
  const { code, message } = answer.error;
  return { status: answer.status, code, message };
}

/** What the catalogue says for a code. Tests give the sentence too where it must be word for word. */
export function catalogued(code: ErrorCode, message: string = ERRORS[code].message): Refusal {
  return { status: ERRORS[code].status, code, message };
}

/** What the same call answers without a token, and with one of no session. */
export async function withoutSession<E extends Endpoint>(
  call: Call,
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<Refusal[]> {
  return [
    refusal(await call(endpoint, { ...options, token: undefined })),
    refusal(await call(endpoint, { ...options, token: newToken() })),
  ];
}

/** What it has to answer. */
export const SESSION_NEEDED = [catalogued('unauthenticated'), catalogued('session_ended')];
