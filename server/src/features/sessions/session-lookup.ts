import DataLoader from 'dataloader';

export type SessionLookup<Session> = (tokenHash: Buffer) => Promise<Session | null>;

/**
 * Looks up the sessions of all requests of one event loop turn with one query: under load this
 * check is most of what a short request costs. Nothing is cached, and a request never shares a
 * query that was sent before it arrived, so a revoked session is refused at once.
 */
export function createSessionLookup<Session extends { token_hash: string }>(
  find: (tokenHashes: readonly Buffer[]) => Promise<readonly Session[]>,
): SessionLookup<Session> {
  const loader = new DataLoader<Buffer, Session | null>(
    async (tokenHashes) => {
      const sessions = await find(tokenHashes);
      const byHash = new Map(sessions.map((session) => [session.token_hash, session]));
      return tokenHashes.map((tokenHash) => byHash.get(tokenHash.toString('hex')) ?? null);
    },
    { cache: false, batchScheduleFn: (send) => setImmediate(send) },
  );
  return (tokenHash) => loader.load(tokenHash);
}
