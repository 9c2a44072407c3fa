import { REQUEST_MESSAGES } from '@meridian/contract/requests';
import type { Issue } from '@meridian/contract/validation';
import { ApiError } from './api-error.ts';

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
