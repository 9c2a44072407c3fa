import data from '../data/awkward.json' with { type: 'json' };
import { Json } from './rows.ts';
import type { PostRow, UserRow } from './rows.ts';
import { DAY, iso } from './times.ts';

/**
 * Posts with fixed ids that are hard to show: overlapping and character-splitting facets,
 * right-to-left text, a direction override in a name, hostile addresses.
 */
export const AWKWARD_USERS = data.users as UserRow[]; // The database checks the statuses.
export const AWKWARD_COUNT = data.posts.length;

/** Their dates are fixed too, but for what is still to be published. */
export function awkwardPosts(now: number): PostRow[] {
  return data.posts.map((post) =>
    Object.assign({}, post, {
      status: post.status as PostRow['status'], // The database checks it.
      scheduled_at: post.status === 'PENDING' ? iso(now + 30 * DAY) : post.scheduled_at,
      facets: new Json(post.facets),
      embed: post.embed === null ? null : new Json(post.embed),
      cause: null,
      reply_to: null,
      thread: null,
    }),
  );
}
