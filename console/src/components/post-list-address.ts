import type { PostFilter } from '@meridian/contract/posts';
import { paths, withSearch } from '../paths.ts';

export type PostListAddress = Partial<Record<keyof PostFilter | 'status' | 'order', string>>;

/** The address of a filtered list of posts, for pages that only Meridian has. */
export const postListAt = (filter: PostListAddress) => withSearch(paths.posts, filter);
