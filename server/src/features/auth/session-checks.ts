type Waiting<Session> = {
  tokenHash: Buffer;
  promise: Promise<Session | null>;
  resolve: (session: Session | null) => void;
  reject: (error: unknown) => void;
};

/** Of these tokens, the live sessions. */
export type FindSessions<Session> = (tokenHashes: readonly Buffer[]) => Promise<readonly Session[]>;

/**
 * Sessions asked for in one turn of the event loop are looked up by one query: under load the check
 * is most of what a short call costs. The query is sent after the last of them arrived and nothing
 * is kept once it is answered, so a session that has ended is refused as if it was asked for alone.
 * Nobody waits for a query under way: one that hangs holds up only those who share it.
 */
export function groupSessionChecks<Session extends { token_hash: string }>(
  find: FindSessions<Session>,
): (tokenHash: Buffer) => Promise<Session | null> {
  let group = new Map<string, Waiting<Session>>();

  async function ask(): Promise<void> {
    const asked = group;
    group = new Map();
    try {
      const sessions = await find(Array.from(asked.values(), ({ tokenHash }) => tokenHash));
      const found = new Map(sessions.map((session) => [session.token_hash, session]));
      for (const [key, { resolve }] of asked) resolve(found.get(key) ?? null);
    } catch (error) {
      for (const { reject } of asked.values()) reject(error);
    }
  }

  return (tokenHash) => {
    const key = tokenHash.toString('hex');
    const joined = group.get(key);
    if (joined !== undefined) return joined.promise;
    if (group.size === 0) setImmediate(() => void ask());
    const waiting = { tokenHash, ...Promise.withResolvers<Session | null>() };
    group.set(key, waiting);
    return waiting.promise;
  };
}
