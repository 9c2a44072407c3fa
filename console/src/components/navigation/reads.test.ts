import { postList, userPosts } from '@meridian/contract/posts';
import { settingsGet } from '@meridian/contract/settings';
import { expect, test } from 'vitest';
import { oneOf, text } from '../list/list-params.ts';
import { setAnnounced } from '../../api/announced.ts';
import { argsOf, plainRead, read, readById, readList, readPages } from './reads.ts';

const place = (search = '', params = {}) => ({ params, search: new URLSearchParams(search) });
const PARAMS = { status: oneOf(['FAILED']), userFilter: text(5) };
const LIST = readList(postList, PARAMS, 20);

test.each([
  ['', { limit: 20, offset: 0 }],
  ['page=3&status=FAILED', { limit: 20, offset: 40, status: 'FAILED' }],
  ['status=failed&userFilter=abcdef', { limit: 20, offset: 0 }],
])('a list at ?%s', (search, query) => {
  expect(argsOf(LIST, place(search))).toEqual({ query });
});

test('the id is the one of the address', () => {
  expect(argsOf(readById(userPosts, { limit: 10 }), place('', { userId: 'a/b' }))).toEqual({
    params: { id: 'a/b' },
    query: { limit: 10 },
  });
});

test('pages are asked for where the server announces them, all elsewhere, and nothing before', () => {
  const pages = readPages('pages-of-posts', postList, PARAMS, 20);
  setAnnounced(null);
  expect(argsOf(pages, place('page=2'))).toBeNull();
  setAnnounced([]);
  expect(argsOf(pages, place('page=2'))).toEqual({});
  setAnnounced(['pages-of-posts']);
  expect(argsOf(pages, place('page=2'))).toEqual({ query: { limit: 20, offset: 20 } });
  expect(argsOf(LIST, place('page=2'))).toEqual({ query: { limit: 20, offset: 20 } });
});

test('as plain data it says the same', () => {
  for (const one of [
    LIST,
    readPages('a', postList, PARAMS, 20),
    read(settingsGet),
    readById(userPosts, { limit: 10 }),
  ]) {
    const plain: unknown = JSON.parse(JSON.stringify(plainRead(one)));
    expect(plain).toEqual(plainRead(one));
    expect(plain).toHaveProperty('endpoint', { name: one.endpoint.name, path: one.endpoint.path });
  }
});
