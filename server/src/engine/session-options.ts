import { PLAN_BY_INDEX } from './plan-by-index.ts';

/**
 * A worker that reads no more, because its process is paused or its machine is gone, holds the locks of
 * its statement: those of its posts, and the one under which a backlog is claimed. The server ends such
 * a connection after as long as a lease lasts.
 */
const END_UNREAD = '-c tcp_user_timeout=15000';

export const ENGINE_SESSION_OPTIONS = `${PLAN_BY_INDEX} ${END_UNREAD}`;
