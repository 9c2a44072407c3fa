import { ERRORS } from '@meridian/contract/errors';
import type { ErrorBody, ErrorCode } from '@meridian/contract/errors';

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
