import { beforeEach, expect } from 'vitest';
import { setUpApp } from '../../../test/app.ts';
import type { Engine } from '../../../test/cluster/clusters.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { sql } from '../../db/sql.ts';
import { claimPosts } from '../claim.ts';

export const MINUTE = 60_000;
export const OPTIONS = {
  lookaheadMs: 1_000,
  leaseMs: 15_000,
  lateLimitMs: 60 * MINUTE,
  defaultHost: 'local',
};

export const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE).toISOString();

/** A database whose posts the tests of a block claim; each test starts with one user and no post. */
export function setUpClaims(engine: Engine) {
  const api = setUpApp(engine);
  let ada = '';
  beforeEach(async () => {
    await api.db.execute(sql`delete from users`);
    await api.db.execute(sql`delete from deliveries`);
    await api.db.execute(sql`delete from catch_up`);
    await api.db.execute(
      sql`update service_settings set is_service_suspended = false, resumed_at = null`,
    );
    ada = await insertUser(api.db);
  });

  const due = (minutesAgo = 0, user = ada) =>
    insertPost(api.db, user, { status: 'PENDING', scheduled_at: inMinutes(-minutesAgo) });
  const claim = (options = {}) => claimPosts(api.db, { ...OPTIONS, ...options });

  return {
    db: () => api.db,
    ada: () => ada,
    due,
    claim,
    /** Of two claims in a row: one gives turns to a backlog, the next one takes the first of them. */
    ids: async () => [...(await claim()).posts, ...(await claim()).posts].map(({ id }) => id),
    post: (id: string) =>
      api.db.one<Record<string, unknown>>(sql`
        select status, hold, cause, error_msg, attempt, version, at_uri, claim_at::text,
          claim_at = 'infinity' as is_held from posts where id = ${id}`),
    claimed: async () => {
      const id = await due();
      const [found] = (await claim()).posts;
      if (found === undefined) throw new Error('Nothing was claimed');
      expect(found.id).toBe(id);
      return found;
    },
  };
}
