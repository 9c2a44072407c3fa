import { postGet, postList, POSTS_PAGE_SIZE } from '@meridian/contract/posts';
import { readById, readList } from '../../components/navigation/reads.ts';
import { POSTS_PARAMS } from './posts-params.ts';

export const postsReads = [readList(postList, POSTS_PARAMS, POSTS_PAGE_SIZE)];
export const postReads = [readById(postGet)];
