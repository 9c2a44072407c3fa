/** One attempt, before its password is looked at. */
export type LoginAttempt = { username: string | null; address: string };

/**
 * Counts attempts and refuses too many. `reserve` comes before the hash and must itself be atomic:
 * counting after the check would let a parallel burst through.
 */
export type LoginThrottle = {
  /** Throws `too_many_requests` when this attempt may not be made now. */
  reserve(attempt: LoginAttempt): Promise<void>;
  /** The attempt was right: what was counted against it is forgotten. */
  succeeded(attempt: LoginAttempt): Promise<void>;
};

/** No limits beyond the hash gate. */
export const unlimitedLogins: LoginThrottle = {
  async reserve() {},
  async succeeded() {},
};
