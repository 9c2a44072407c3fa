/** Who does something, from where and why, as the audit log stores it. */
export type Author = {
  /** Null without a session. */
  readonly adminId: string | null;
  readonly username: string;
  readonly requestId: string | null;
  readonly network: string | null;
  /** As the administrator gave it, on one line. */
  readonly reason?: string | null;
  /** Groups the entries of one change of many things. */
  readonly batch?: string | null;
};

/** The operator of the machine: the server at its start, and the commands. */
export const HOST: Author = { adminId: null, username: 'host', requestId: null, network: null };
