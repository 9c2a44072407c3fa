/** Where the account's host sends the browser back to. */
export const CALLBACK_PATH = '/oauth/callback';

/** As the network writes a handle that does not lead to the account, or could not be looked up. */
export const INVALID_HANDLE = 'handle.invalid';

/** Who consented, as the account's host and its directory say it. */
export type ConnectedAccount = {
  did: string;
  handle: string;
  displayName: string | null;
  avatar: string | null;
  host: string;
  /** What `begin` was given. */
  state: string;
};

/** The network refused, in the words of `SIGN_IN_ERRORS`. */
export class ConnectError extends Error {
  readonly reason: 'refused' | 'expired' | 'unreachable';

  constructor(reason: ConnectError['reason'], options?: ErrorOptions) {
    super(`The account was not connected: ${reason}`, options);
    this.name = 'ConnectError';
    this.reason = reason;
  }
}

/** How a person gives access to an account: OAuth on the live network, a consent page on the local one. */
export type Connector = {
  /**
   * Where the browser goes to consent: another site, or a path of this server. `name` is a handle or a
   * DID, in lower case. `state` comes back with the callback. Null: no such account.
   */
  begin(name: string, state: string): Promise<URL | string | null>;
  /** From the query of `/oauth/callback`. The credentials are kept by the time it resolves. */
  finish(query: URLSearchParams): Promise<ConnectedAccount>;
  /** Revokes the access at the host, as far as it can be reached, and forgets the credentials. */
  disconnect(did: string): Promise<void>;
};
