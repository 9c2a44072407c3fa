import { REQUEST_MESSAGES } from '@meridian/contract/requests';
import type { Issue } from '@meridian/contract/validation';

interface Answer {
  /** 0 when no response came at all. */
  status: number;
  message: string;
  /** The message is not the server's own: its response had none. */
  isWordless?: boolean | undefined;
  code?: string | undefined;
  issues?: readonly Issue[] | undefined;
  requestId?: string | undefined;
  retryAfterMs?: number | undefined;
}

/** A call that did not succeed: refused by the server, or never answered. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly isWordless: boolean;
  readonly code: string | undefined;
  readonly issues: readonly Issue[];
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;

  constructor(answer: Answer, cause?: unknown) {
    super(answer.message, { cause });
    this.status = answer.status;
    this.isWordless = answer.isWordless ?? false;
    this.code = answer.code;
    this.issues = answer.issues ?? [];
    this.requestId = answer.requestId;
    this.retryAfterMs = answer.retryAfterMs;
  }

  /** False when the network failed: the screen then says its own words. */
  get hasResponse(): boolean {
    return this.status > 0;
  }
}

/** The call succeeded, but its response is not what was asked for. */
export class UnexpectedResponseError extends ApiError {}

/** The server's message when it sent one, otherwise the screen's default. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.hasResponse && error.message !== ''
    ? error.message
    : fallback;
}

/** The same of what may not be there: a 404 without words of its own gets these. */
export function messageOfMissing(error: unknown, notFound: string, fallback: string): string {
  const isPlain = isNotFound(error) && error.isWordless;
  return isPlain ? notFound : messageOf(error, fallback);
}

/** What to look for in the server's log, when the server itself is at fault. */
export function requestOfFault(error: unknown): string | undefined {
  return error instanceof ApiError && error.status >= 500 ? error.requestId : undefined;
}

export function isNotFound(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status === 404;
}

/** It is no longer in a state that allows this, no longer what was seen, or no longer there at all. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && [404, 409, 412].includes(error.status);
}

/** Another administrator changed it first. */
export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 412;
}

/** The error an unsuccessful response means, in the server's words where it has some. */
export async function errorOfResponse(response: Response): Promise<ApiError> {
  const { status } = response;
  const retryAfterMs = retryAfter(response.headers.get('Retry-After'));
  const named = response.headers.get('X-Request-Id') ?? undefined;
  let body: unknown;
  try {
    body = await response.json();
  } catch (cause) {
    const message = REQUEST_MESSAGES.notJson;
    const isWordless = true;
    return new ApiError({ status, retryAfterMs, requestId: named, message, isWordless }, cause);
  }
  const fields = typeof body === 'object' && body !== null ? body : {};
  const message = textAt(fields, 'message');
  return new ApiError({
    status,
    retryAfterMs,
    isWordless: message === undefined,
    message: message ?? REQUEST_MESSAGES.withoutMessage(status),
    code: textAt(fields, 'code'),
    requestId: textAt(fields, 'requestId') ?? named,
    issues: issuesIn(Reflect.get(fields, 'issues')),
  });
}

function textAt(fields: object, name: string): string | undefined {
  const value: unknown = Reflect.get(fields, name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function issuesIn(value: unknown): Issue[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown) => {
    if (typeof item !== 'object' || item === null) return [];
    const message = textAt(item, 'message');
    return message === undefined ? [] : [{ path: textAt(item, 'path') ?? '', message }];
  });
}

/** Seconds only: a date would need both clocks to agree. */
function retryAfter(header: string | null): number | undefined {
  return header !== null && /^\d{1,5}$/.test(header) ? Number(header) * 1000 : undefined;
}
