/** The signed-in administrator behind a request. */
export type Actor = {
  readonly adminId: string;
  readonly username: string;
  readonly displayName: string | null;
  /** Names the session without being able to use it: the SHA-256 of its token. */
  readonly tokenHash: Buffer;
};
