/** A host under test, with two accounts on it. */
export type TestHost = {
  url: string;
  account: { did: string; token: string };
  other: { did: string; token: string };
};

export type TestRequest = {
  method: string;
  query?: Record<string, string>;
  json?: object;
  bytes?: Uint8Array;
  type?: string;
  token?: string | null;
};

/** Two hosts have to agree in these. */
export type Outcome = {
  status: number;
  error: string | null;
  hasCommit: boolean;
  cid: string | null;
};

export type Case = {
  name: string;
  request: (host: TestHost) => TestRequest;
  expected: Partial<Outcome> & { status: number };
};

export type CaseResult = Case & { outcome: Outcome; message: string | null };

export const CREATED = { status: 200, error: null, hasCommit: true };
export const REFUSED = { status: 400, error: 'InvalidRequest' } satisfies Partial<Outcome>;

export const AUTH_MISSING = { status: 401, error: 'AuthMissing' };

export function post(text: string, more: object = {}) {
  return {
    $type: 'app.bsky.feed.post',
    text,
    createdAt: '2026-11-16T12:00:00.000Z',
    ...more,
  };
}

export function call(method: string, request: (host: TestHost) => Omit<TestRequest, 'method'>) {
  return (host: TestHost): TestRequest => ({ method, ...request(host) });
}

/** putRecord with validation. `swapRecord` is left out when undefined. */
export function put(
  rkey: string,
  record: object,
  swapRecord?: string | null,
  body: object = {},
  request: Partial<TestRequest> = {},
) {
  return call('com.atproto.repo.putRecord', ({ account }) => ({
    json: {
      repo: account.did,
      collection: 'app.bsky.feed.post',
      rkey,
      record,
      validate: true,
      ...(swapRecord !== undefined && { swapRecord }),
      ...body,
    },
    ...request,
  }));
}
