import { postStatusOf } from '@meridian/contract/posts';
import type { Stats } from '@meridian/contract/stats';

type StatusCounts = Stats['posts']['byStatus'];

/** One row per status: EXECUTING is another word for PROCESSING. A sum with an unknown part is unknown. */
export function statusCounts(byStatus: StatusCounts): StatusCounts {
  const counts = new Map<string, number | undefined>();
  for (const { status: word, count } of byStatus) {
    const status = postStatusOf(word);
    const before = counts.has(status) ? counts.get(status) : 0;
    const isUnknown = before === undefined || count === undefined;
    counts.set(status, isUnknown ? undefined : before + count);
  }
  return Array.from(counts, ([status, count]) => ({ status, count }));
}
