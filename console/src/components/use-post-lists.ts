import { POST_FILTERS_FEATURE } from '@meridian/contract/post-filter';
import type { PostFilter } from '@meridian/contract/post-filter';
import { useAnnounced } from '../auth/use-announced.ts';
import { paths, withSearch } from '../paths.ts';

export type PostListAddress = Partial<Record<keyof PostFilter | 'status' | 'order', string>>;

/** The address of a filtered list of posts; none where the server has no such filters. */
export function usePostLists(): (filter: PostListAddress) => string | undefined {
  const hasFilters = useAnnounced(POST_FILTERS_FEATURE);
  return (filter) => (hasFilters ? withSearch(paths.posts, filter) : undefined);
}
