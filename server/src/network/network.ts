export type Account = { userId: string; did: string; host: string };

export type RecordWrite = { rkey: string; cid: string; record: PostRecord };

export type PostRecord = { $type: 'app.bsky.feed.post'; text: string; createdAt: string } & {
  [field: string]: unknown;
};

export type BlobRef = {
  $type: 'blob';
  ref: { $link: string };
  mimeType: string;
  size: number;
};

export type NetworkResponse =
  | {
      kind: 'response';
      status: number;
      error: string | null;
      message: string | null;
      body: unknown;
      retryAt: Date | null;
    }
  | {
      kind: 'no_response';
      /** After any reason but `unreachable` the call may have been carried out. */
      reason: 'unreachable' | 'timeout' | 'cut' | 'unreadable' | 'too_large';
      status: number | null;
      /** This is the server that did not respond, unless it is the host: without it there was no session. */
      elsewhere?: string;
    };

export const POST_COLLECTION = 'app.bsky.feed.post';

export const postUri = (did: string, rkey: string) => `at://${did}/${POST_COLLECTION}/${rkey}`;

/** None of these calls throws for what a host does. */
export type Network = {
  readonly name: string;
  /** It is null when a user without a row in accounts has to connect first. */
  readonly defaultHost: string | null;
  /** A failure shows at the next call. */
  refreshSession(account: Account): Promise<void>;
  /** It sends `swapRecord: null` and `validate: true`, so a repetition is a no-op. */
  putRecord(account: Account, write: RecordWrite): Promise<NetworkResponse>;
  /** The host takes all writes or none. */
  applyWrites(account: Account, writes: readonly RecordWrite[]): Promise<NetworkResponse>;
  getRecord(host: string, repo: string, rkey: string): Promise<NetworkResponse>;
  /** The body's `active` is false for an account that was deactivated or taken down. */
  getRepoStatus(host: string, repo: string): Promise<NetworkResponse>;
  findHost(did: string): Promise<string | null>;
  uploadBlob(account: Account, bytes: Uint8Array, mimeType: string): Promise<NetworkResponse>;
  close(): Promise<void>;
};

export const CALLBACK_PATH = '/oauth/callback';

/** The network says this of a handle that does not lead to the account, or could not be looked up. */
export const INVALID_HANDLE = 'handle.invalid';

export type ConnectedAccount = {
  did: string;
  handle: string;
  displayName: string | null;
  avatar: string | null;
  host: string;
  state: string;
};

export class ConnectError extends Error {
  override name = 'ConnectError';
  readonly reason: 'refused' | 'expired' | 'unreachable';

  constructor(reason: ConnectError['reason'], options?: ErrorOptions) {
    super(`The account was not connected: ${reason}`, options);
    this.reason = reason;
  }
}

export type Connector = {
  /** The address is null when there is no such account, and `state` comes back with the callback. */
  begin(name: string, state: string): Promise<URL | string | null>;
  /** The credentials are stored by the time this resolves. */
  finish(query: URLSearchParams): Promise<ConnectedAccount>;
  /** The credentials are forgotten even when the host cannot be reached. */
  disconnect(did: string): Promise<void>;
};
