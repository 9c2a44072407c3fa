import type { Content } from './compose.ts';
import { newId } from './ids.ts';
import { outcomeOf } from './outcome.ts';
import type { Draft, Outcome } from './outcome.ts';
import { lottery } from './random.ts';
import type { Random } from './random.ts';
import type { PostRow } from './rows.ts';
import { DAY, HOUR, iso, MINUTE } from './times.ts';
import type { Author } from './users.ts';

const LATEST_WRITING = 5 * MINUTE;
const AUTHOR_TRIES = 20;

export type Span = { from: number; now: number };
type Schedule<User extends Author> = {
  count: number;
  /** Posts are written within it. */
  span: Span;
  daysAhead: number;
  /** Schedules are set in whole steps. */
  stepMinutes: number;
  /** Half of the posts are due within this time of writing; a few weeks later. */
  medianLeadHours: number;
  authors: readonly (readonly [author: User, weight: number])[];
  contentOf: (author: User, index: number) => Content;
};

/**
 * Posts in the order in which they were written, so that a bulk load appends to most indexes. Twice
 * as many are written at the end of the span as at its beginning.
 */
export function* makePosts<User extends Author>(
  random: Random,
  schedule: Schedule<User>,
): Generator<PostRow> {
  const { count, span, daysAhead, medianLeadHours, authors, contentOf } = schedule;
  const { from, now } = span;
  const step = schedule.stepMinutes * MINUTE;
  const drawAuthor = lottery(authors);
  const [oldest = drawAuthor(0)] = authors
    .map(([author]) => author)
    .toSorted((a, b) => a.createdAt - b.createdAt);
  for (let index = 0; index < count; index += 1) {
    // Inverts the area under a line from 1 to 2.
    const progress = Math.sqrt(1 + (3 * (index + random.unit())) / count) - 1;
    const createdAt = Math.round(from + (now - LATEST_WRITING - from) * progress);
    const isWriting = ({ createdAt: joinedAt, stoppedAt }: Author) =>
      joinedAt < createdAt && (stoppedAt ?? Infinity) > createdAt;
    let user = drawAuthor(random.unit());
    for (let tries = 1; tries < AUTHOR_TRIES && !isWriting(user); tries += 1) {
      user = drawAuthor(random.unit());
    }
    if (!isWriting(user)) user = oldest;
    const lead = medianLeadHours * HOUR * spread(random);
    const longest = daysAhead * DAY;
    const dueAt = createdAt + (lead < longest ? lead : longest * random.unit());
    const scheduledAt = Math.ceil(dueAt / step) * step;
    const draft = { user, content: contentOf(user, index), createdAt, scheduledAt };
    yield makePost(random, draft, outcomeOf(random, draft, now));
  }
}

/** A factor around 1 with a long tail: the sum of three uniform numbers is close to normal. */
function spread(random: Random): number {
  return Math.exp((random.unit() + random.unit() + random.unit() - 1.5) * 3.2);
}

export function makePost(random: Random, draft: Draft, outcome: Outcome): PostRow {
  const { content, facets, embed, languages } = draft.content;
  return {
    id: newId(random, draft.createdAt),
    user_id: draft.user.row.id,
    content,
    facets,
    embed,
    languages,
    scheduled_at: iso(draft.scheduledAt),
    created_at: iso(draft.createdAt),
    ...outcome,
    reply_to: null,
    thread: null,
  };
}
