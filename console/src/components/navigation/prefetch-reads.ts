import { prefetchEndpoint } from '../../api/use-endpoint-query.ts';
import type { Prefetch } from './prefetch.ts';
import { argsOf, type Read } from './reads.ts';

/** What a page exports as `prefetch`, so that its reads can be under way before it is opened. */
export function prefetchReads(reads: readonly Read[]): Prefetch {
  return (place) => {
    for (const read of reads) {
      const args = argsOf(read, place);
      if (args !== null) prefetchEndpoint(read.endpoint, args);
    }
  };
}
