/** A user's account as the engine needs it to publish. */
export type Account = { userId: string; did: string; host: string };

/** A record to be written, with the content identifier that the host will compute for it. */
export type RecordWrite = { rkey: string; cid: string; record: PostRecord };

/** A record of the collection app.bsky.feed.post, exactly as it is sent. */
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
      /** The error word of the protocol (`InvalidSwap`), null on success or when there is none. */
      error: string | null;
      message: string | null;
      body: unknown;
      /** When the host allows the next call, from ratelimit-reset or retry-after. */
      retryAt: Date | null;
    }
  | {
      kind: 'no_response';
      /**
       * `unreachable`: no connection, so nothing was sent. Everything else may have been carried out:
       * `timeout`, `cut` (the connection ended early), `unreadable` (no JSON where JSON is due) and
       * `too_large` (more than the client reads).
       */
      reason: 'unreachable' | 'timeout' | 'cut' | 'unreadable' | 'too_large';
      /** The status line, when it was received. */
      status: number | null;
      /** The server that did not respond, unless it is the host: without it there was no session. */
      elsewhere?: string;
    };

export const POST_COLLECTION = 'app.bsky.feed.post';

export const postUri = (did: string, rkey: string) => `at://${did}/${POST_COLLECTION}/${rkey}`;

/** The calls of the AT Protocol that the engine makes. They never throw for what a host does. */
export type Network = {
  /** Shown to operators: 'local' or 'live'. */
  readonly name: string;
  /** The host of a user without a row in accounts; null: such a user has to connect first. */
  readonly defaultHost: string | null;
  /** Renews the session of an account that is soon to be used. A failure shows at the next call. */
  refreshSession(account: Account): Promise<void>;
  /** putRecord with `swapRecord: null` and `validate: true`: a repetition is a no-op. */
  putRecord(account: Account, write: RecordWrite): Promise<NetworkResponse>;
  /** All writes or none. */
  applyWrites(account: Account, writes: readonly RecordWrite[]): Promise<NetworkResponse>;
  /** Public, without credentials. `repo` is a DID; `host` the host that is asked. */
  getRecord(host: string, repo: string, rkey: string): Promise<NetworkResponse>;
  /** Public: the body's `active` is false for an account that was deactivated or taken down. */
  getRepoStatus(host: string, repo: string): Promise<NetworkResponse>;
  /** The host that the directory names for an account; null when that cannot be found out. */
  findHost(did: string): Promise<string | null>;
  uploadBlob(account: Account, bytes: Uint8Array, mimeType: string): Promise<NetworkResponse>;
  close(): Promise<void>;
};

/** The account's host sends the browser back to this path. */
export const CALLBACK_PATH = '/oauth/callback';

/** The network's word for a handle that does not lead to the account, or could not be looked up. */
export const INVALID_HANDLE = 'handle.invalid';

/** An account that consented, as its host and the directory describe it. */
export type ConnectedAccount = {
  did: string;
  handle: string;
  displayName: string | null;
  avatar: string | null;
  host: string;
  /** The one that `begin` was given. */
  state: string;
};

/** The network refused, in the words of `SIGN_IN_ERRORS`. */
export class ConnectError extends Error {
  override name = 'ConnectError';
  readonly reason: 'refused' | 'expired' | 'unreachable';

  constructor(reason: ConnectError['reason'], options?: ErrorOptions) {
    super(`The account was not connected: ${reason}`, options);
    this.reason = reason;
  }
}

/** A member gives access to an account by OAuth on the live network, by a consent page on the local one. */
export type Connector = {
  /**
   * The page of the consent, on another site or a path of this server; null when there is no such account.
   * `name` is a handle or a DID, in lower case. `state` comes back with the callback.
   */
  begin(name: string, state: string): Promise<URL | string | null>;
  /** Takes the query of `/oauth/callback`. The credentials are stored by the time it resolves. */
  finish(query: URLSearchParams): Promise<ConnectedAccount>;
  /** Revokes the access at the host, as far as it can be reached, and forgets the credentials. */
  disconnect(did: string): Promise<void>;
};
