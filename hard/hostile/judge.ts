import type { Endpoint } from '@meridian/contract/endpoint';
import { ERRORS, errorBody } from '@meridian/contract/errors';
import type { RawRequest } from './spoil.ts';
import type { World } from './world.ts';

/** What an answer must never give away, unless the request said it first. */
const GIVEAWAYS =
  /\bECONN|postgres|node_modules|\.ts:\d|\n\s+at |select .* from |relation "|syntax error|violates|constraint|stack|\/src\/|127\.0\.0\.1|password_hash|argon2|zod|fastify/iu;

export type Verdict = { isRefused: boolean; faults: string[] };

let sent = 0;

/** How many requests were judged so far. */
export function requestsJudged(): number {
  return sent;
}

/** Sends a request and looks whether the answer is one that the contract knows. */
export async function judge(
  { api, token }: World,
  endpoint: Endpoint,
  request: RawRequest,
): Promise<Verdict> {
  sent += 1;
  const response = await api.app.inject({
    method: request.method,
    url: request.url,
    headers: {
      ...request.headers,
      authorization: `Bearer ${token}`,
      ...(request.payload !== null && { 'content-type': 'application/json' }),
    },
    ...(request.payload !== null && { payload: request.payload }),
  });
  const { statusCode: status, body } = response;
  const faults: string[] = [];
  // The audit log is there to say from where, and a file of rows repeats what people wrote.
  const isFile = endpoint.media === 'export' && status < 400;
  // A new token is random: any short word may be in it.
  const text = body.replace(/"token":"[\w-]+"/, '');
  const said =
    endpoint.name === 'auditList' ? text.replaceAll('127.0.0.1', '') : isFile ? '' : text;
  const [leak] = GIVEAWAYS.exec(said) ?? [];
  if (leak !== undefined && !textOf(request).includes(leak.toLowerCase()))
    faults.push(`gives away "${leak}"`);
  if (status < 400) {
    // A file of rows, a picture and a stream are no JSON.
    const isJson = endpoint.media === undefined;
    if (isJson && !endpoint.answer.safeParse(JSON.parse(body)).success) {
      faults.push('breaks its schema');
    }
  } else if (!isCatalogued(status, body)) {
    faults.push(`answers ${status} ${body.slice(0, 200)}`);
  }
  return { isRefused: status >= 400, faults };
}

/** Everything that was asked, in lower case. */
function textOf({ url, headers, payload }: RawRequest): string {
  return `${url} ${queryTextOf(url)} ${JSON.stringify(headers)} ${payload ?? ''}`.toLowerCase();
}

/** The values of a query as they were meant: a search finds the texts that it looks for. */
function queryTextOf(url: string): string {
  const [, query = ''] = url.split('?', 2);
  return [...new URLSearchParams(query).values()].join(' ');
}

function isCatalogued(status: number, body: string): boolean {
  const { success, data } = errorBody.safeParse(JSON.parse(body));
  if (!success || status >= 500) return false;
  const known: Record<string, { status: number }> = ERRORS;
  return known[data.code]?.status === status;
}
