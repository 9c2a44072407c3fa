import { RECENT_POSTS_SIZE } from '@meridian/contract/posts';

export const RECENT_POSTS = { limit: RECENT_POSTS_SIZE };
