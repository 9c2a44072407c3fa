import { postStatusOf } from '@meridian/contract/posts';
import type { Stats } from '@meridian/contract/stats';

type StatusCounts = Stats['posts']['byStatus'];

/** One row per status: EXECUTING is another word for PROCESSING. A count is null if a part is. */
export function statusCounts(byStatus: StatusCounts): StatusCounts {
  const counts = new Map<string, number | null>();
  for (const { status: word, count } of byStatus) {
    const status = postStatusOf(word);
    const before = counts.get(status);
    const isUnknown = before === null || count === null;
    counts.set(status, isUnknown ? null : (before ?? 0) + count);
  }
  return Array.from(counts, ([status, count]) => ({ status, count }));
}
