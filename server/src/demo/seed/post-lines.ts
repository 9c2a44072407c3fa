import { copyCell } from '../copy.ts';
import { newId } from '../identifiers.ts';
import { outcomeOf } from '../posts/outcome.ts';
import { createRandom } from '../random.ts';
import type { Random } from '../random.ts';
import { DAY, HOUR, iso, MINUTE } from '../times.ts';
import type { BulkAuthor, Span } from './authors.ts';
import { CONTENT_COLUMNS } from './contents.ts';
import type { Contents } from './contents.ts';

export const POST_COLUMNS = [
  'id',
  'user_id',
  ...CONTENT_COLUMNS,
  'scheduled_at',
  'created_at',
  'status',
  'updated_at',
  'executed_at',
  'at_uri',
  'at_rkey',
  'error_msg',
] as const;

const AHEAD_MAX = 30 * DAY;
const LATEST_WRITING = 5 * MINUTE;

/**
 * Lines of posts in the order in which they were written, so that ids and most index entries are
 * appended instead of inserted all over. Twice as many are written at the end as at the beginning.
 */
export function* postLines(
  seed: string,
  count: number,
  authors: readonly BulkAuthor[],
  { span, contents }: { span: Span; contents: Contents },
): Generator<string> {
  const random = createRandom(`bulk-posts/${seed}`);
  const drawAuthor = authorLottery(authors, seed);
  for (let index = 0; index < count; index += 1) {
    const share = (index + random.unit()) / count;
    // Inverts the area under a line from 1 to 2.
    const progress = Math.sqrt(1 + 3 * share) - 1;
    const createdAt = Math.round(span.from + (span.now - LATEST_WRITING - span.from) * progress);
    const user = drawAuthor(random, createdAt);
    const scheduledAt = roundedToMinutes(createdAt + leadTime(random));
    const draft = { user, scheduledAt, createdAt, length: 0, pictures: 0 };
    const outcome = outcomeOf(random, draft, span.now);
    yield `${newId(random, createdAt)}\t${user.id}\t${contents.pick(random, user.language, user.kind)}\t${iso(scheduledAt)}\t${iso(createdAt)}\t${outcome.status}\t${outcome.updated_at}\t${copyCell(outcome.executed_at)}\t${copyCell(outcome.at_uri)}\t${copyCell(outcome.at_rkey)}\t${copyCell(outcome.error_msg)}\n`;
  }
}

/** Half of all posts are due within eighteen hours; a few are planned for weeks ahead. */
function leadTime(random: Random): number {
  const lead = 18 * HOUR * Math.exp((random.unit() + random.unit() + random.unit() - 1.5) * 3.2);
  return Math.min(AHEAD_MAX, Math.max(10 * MINUTE, lead));
}

function roundedToMinutes(at: number): number {
  return Math.ceil(at / (5 * MINUTE)) * 5 * MINUTE;
}

/** Activity falls with rank as Zipf found it for words; who has which rank is chance. */
function authorLottery(authors: readonly BulkAuthor[], seed: string) {
  const ranked = createRandom(`ranks/${seed}`).shuffled(authors);
  const ends = new Float64Array(ranked.length);
  let total = 0;
  for (let rank = 0; rank < ranked.length; rank += 1) {
    total += 1 / (rank + 8);
    ends[rank] = total;
  }
  const atShare = (share: number) => {
    const target = share * total;
    let low = 0;
    let high = ranked.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle] ?? 0) > target) high = middle;
      else low = middle + 1;
    }
    return ranked[low];
  };
  const [oldest] = authors;
  if (oldest === undefined) throw new RangeError('Posts need at least one user');

  return (random: Random, at: number): BulkAuthor => {
    for (let attempt = 0; attempt < 6; attempt += 1) {
      const author = atShare(random.unit());
      if (author !== undefined && author.createdAt < at) return author;
    }
    return oldest;
  };
}
