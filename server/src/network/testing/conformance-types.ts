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

/** What two hosts have to agree in. */
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
