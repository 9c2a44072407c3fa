/** Who does something, and from where, as the audit log stores it. */
export type Author = {
  /** Null without a session. */
  readonly adminId: string | null;
  readonly username: string;
  readonly requestId: string | null;
  readonly network: string | null;
};

/** The operator of the machine: the server at its start, and the commands. */
export const HOST: Author = { adminId: null, username: 'host', requestId: null, network: null };
