/** Who does something, and from where, as far as the record says it. */
export type Author = {
  /** Null when nobody is signed in. */
  readonly adminId: string | null;
  readonly username: string;
  readonly requestId: string | null;
  readonly network: string | null;
};

/** Whoever commands the machine: the server when it starts, the commands beside it. */
export const HOST: Author = { adminId: null, username: 'host', requestId: null, network: null };
