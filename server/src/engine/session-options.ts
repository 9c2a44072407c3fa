import { PLAN_BY_INDEX } from './plan-by-index.ts';

export const ENGINE_SETTINGS = {
  ...PLAN_BY_INDEX,
  /**
   * A worker that reads no more, because its process is paused or its machine is gone, holds the locks of
   * its statement: those of its posts, and the one under which a backlog is claimed. The server ends such
   * a connection after as long as a lease lasts.
   */
  tcp_user_timeout: 15_000,
  /** A journal entry counts once it is on disk, whatever the role, the database or the server has set. */
  synchronous_commit: 'on',
};
