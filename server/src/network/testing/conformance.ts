import { CASES } from './conformance-cases.ts';
import type { CaseResult, Outcome, TestHost, TestRequest } from './conformance-requests.ts';

/** Sends every request in order: later ones build on earlier ones. */
export async function runConformance(host: TestHost): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const one of CASES) {
    const response = await send(host, one.request(host));
    const body = await bodyOf(response);
    const outcome: Outcome = {
      status: response.status,
      error: textOf(body['error']),
      hasCommit: body['commit'] !== undefined,
      cid: cidIn(body),
    };
    results.push({ ...one, outcome, message: textOf(body['message']) });
  }
  return results;
}

async function send(host: TestHost, request: TestRequest): Promise<Response> {
  const { method, query = {}, json, bytes, token = host.account.token } = request;
  const isPost = json !== undefined || bytes !== undefined;
  const type = request.type ?? (json === undefined ? undefined : 'application/json');
  const body = json === undefined ? (bytes ?? null) : JSON.stringify(json);
  return fetch(`${host.url}/xrpc/${method}?${new URLSearchParams(query).toString()}`, {
    method: isPost ? 'POST' : 'GET',
    headers: {
      ...(type !== undefined && { 'content-type': type }),
      ...(token !== null && { authorization: `Bearer ${token}` }),
    },
    // A view of the same bytes whose buffer is not shared, as fetch requires.
    body: typeof body === 'string' || body === null ? body : new Uint8Array(body),
  });
}

async function bodyOf(response: Response): Promise<Record<string, unknown>> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return isJson ? (JSON.parse(text) as Record<string, unknown>) : {};
}

/** The record, the first of several, or the blob has it. */
function cidIn(body: Record<string, unknown>): string | null {
  const { cid, blob, results } = body as {
    cid?: string;
    blob?: { ref: { $link: string } };
    results?: { cid?: string }[];
  };
  return cid ?? blob?.ref.$link ?? results?.[0]?.cid ?? null;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
