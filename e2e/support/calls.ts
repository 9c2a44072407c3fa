import { ENDPOINTS } from '@meridian/contract';
import type { Endpoint } from '@meridian/contract';
import type { BrowserContext, Request } from '@playwright/test';

export type Call = {
  endpoint: string;
  method: string;
  /** Path and query. */
  url: string;
  body: unknown;
  token: string | null;
};

/** The endpoint of the contract that a request goes to, and the ids in its path. */
export function matchEndpoint(method: string, pathname: string) {
  // Fixed paths before patterns: `plans/publish` is no plan's id.
  const candidates = ENDPOINTS.filter((endpoint) => endpoint.method === method).toSorted(
    (a, b) => a.path.split('{').length - b.path.split('{').length,
  );
  for (const endpoint of candidates) {
    const pattern = new RegExp(`^${endpoint.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
    const found = pattern.exec(pathname);
    if (found) return { endpoint, params: { ...found.groups } };
  }
  return null;
}

/** Every call of the contract that the pages of this browser make from now on, in order. */
export function recordCalls(context: BrowserContext): Call[] {
  const calls: Call[] = [];
  context.on('request', (request) => {
    const call = callOf(request);
    if (call !== null) calls.push(call);
  });
  return calls;
}

function callOf(request: Request): Call | null {
  const { pathname, search } = new URL(request.url());
  const match = matchEndpoint(request.method(), pathname);
  if (match === null) return null;
  return {
    endpoint: match.endpoint.name,
    method: request.method(),
    url: pathname + search,
    body: request.postDataJSON() ?? null,
    token: request.headers()['authorization']?.replace(/^Bearer /, '') ?? null,
  };
}

export const isCallTo =
  (endpoint: Pick<Endpoint, 'name'>) =>
  (request: Request): boolean =>
    callOf(request)?.endpoint === endpoint.name;
