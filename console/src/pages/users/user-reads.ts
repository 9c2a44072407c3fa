import { assignmentList } from '@meridian/contract/assignments';
import { RECENT_POSTS_SIZE, userPosts } from '@meridian/contract/posts';
import { userGet, userList, USERS_PAGE_SIZE } from '@meridian/contract/users';
import { readById, readList } from '../../components/navigation/reads.ts';
import { USERS_PARAMS } from './users-params.ts';

export const RECENT = { limit: RECENT_POSTS_SIZE };

export const usersReads = [readList(userList, USERS_PARAMS, USERS_PAGE_SIZE)];
export const userReads = [readById(userGet), readById(assignmentList), readById(userPosts, RECENT)];
