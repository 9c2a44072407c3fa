import type { Author } from '../audit/author.ts';

/** The signed-in administrator behind a request. */
export type Actor = Author & {
  readonly adminId: string;
  readonly displayName: string | null;
  /** Names the session without being able to use it: the SHA-256 of its token. */
  readonly tokenHash: Buffer;
};

/** What is known of the administrator from the token alone. */
export type SessionActor = Omit<Actor, 'requestId' | 'network'>;
