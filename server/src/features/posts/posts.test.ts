import {
  POST_STATUSES,
  postCancel,
  postDelete,
  postGet,
  postUpdate,
} from '@meridian/contract/posts';
import type { PostStatus } from '@meridian/contract/posts';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { sql } from '../../db/sql.ts';
import { uuidV7 } from '../../db/columns.ts';

const NOT_FOUND = { status: 404, code: 'post_not_found', message: 'Post not found' };
const CHANGEABLE: PostStatus[] = ['PENDING', 'PROCESSING', 'CANCELLED'];

describe.each(EITHER)('a post on %s', (engine) => {
  const api = setUpApp(engine);
  let token: string;
  let userId: string;
  let neighbour: string;

  beforeAll(async () => {
    ({ token } = await api.signIn());
    userId = await insertUser(api.db, {
      did: 'did:plc:author',
      handle: 'author.test',
      display_name: 'Author',
      avatar: 'https://cdn.example/a.jpg',
    });
  });
  beforeEach(async () => {
    neighbour = await insertPost(api.db, userId);
  });

  const withStatus = (status: PostStatus) => insertPost(api.db, userId, { status });
  const get = async (id: string) =>
    (await api.call(postGet, { token, params: { id } })).answer.post;
  const change = (id: string, body: object) =>
    api.call(postUpdate, { token, params: { id }, body });
  const cancel = (id: string) => api.call(postCancel, { token, params: { id } });
  const remove = (id: string) => api.call(postDelete, { token, params: { id } });

  describe('get', () => {
    test('answers every field, the records as they came', async () => {
      const full = {
        content: 'Hello @bob 🌍\n<b>not bold</b>',
        facets: [{ index: { byteStart: 6, byteEnd: 10 }, features: [{ $type: 'x', did: 'y' }] }],
        embed: { $type: 'app.bsky.embed.images', images: [{ alt: '', image: { key: 'k/1' } }] },
        languages: ['en', 'pt-BR'],
        status: 'COMPLETED',
        scheduled_at: '2026-03-01T09:00:00.123Z',
        created_at: '2026-02-01T09:00:00.000Z',
        executed_at: '2026-03-01T09:00:01.000Z',
        at_uri: 'at://did:plc:author/app.bsky.feed.post/3kabc',
        at_rkey: '3kabc',
        error_msg: 'first attempt failed',
      } as const;
      const id = await insertPost(api.db, userId, { ...full, languages: [...full.languages] });
      expect(await get(id)).toEqual({
        id,
        user_id: userId,
        ...full,
        version: 1,
        hold: null,
        cause: null,
        reply_to: null,
        thread: null,
        retry_of: null,
        retried_as: null,
        updated_at: full.created_at,
        user: {
          id: userId,
          did: 'did:plc:author',
          handle: 'author.test',
          display_name: 'Author',
          avatar: 'https://cdn.example/a.jpg',
        },
      });
    });

    test('says null for what is not there', async () => {
      const id = await insertPost(api.db, userId, { languages: [] });
      expect(await get(id)).toMatchObject({
        facets: null,
        embed: null,
        languages: [],
        executed_at: null,
        at_uri: null,
        at_rkey: null,
        error_msg: null,
      });
    });

    test.each([uuidV7(), 'not-an-id', '0'])('does not know %s', async (id) => {
      expect(refusal(await api.call(postGet, { token, params: { id } }))).toEqual(NOT_FOUND);
    });
  });

  describe('update', () => {
    const changes = CHANGEABLE.flatMap((from) =>
      POST_STATUSES.filter((to) => to !== from).map((to) => ({ from, to })),
    );
    test.each(changes)('goes from $from to $to and changes nothing else', async ({ from, to }) => {
      const id = await withStatus(from);
      const before = await get(id);
      const besides = await get(neighbour);
      const { post } = (await change(id, { status: to })).answer;
      expect(post).toEqual({ ...before, status: to, version: 2, updated_at: post.updated_at });
      expect(post.updated_at > before.updated_at).toBe(true);
      expect(await get(id)).toEqual(post);
      expect(await get(neighbour)).toEqual(besides);
    });

    test.each(POST_STATUSES)('refuses %s for what it already is', async (status) => {
      const id = await withStatus(status);
      const before = await get(id);
      expect(refusal(await change(id, { status }))).toEqual(
        catalogued('post_status_same', 'The post already has this status'),
      );
      expect(await get(id)).toEqual(before);
    });

    const finals = (['COMPLETED', 'FAILED'] as const).flatMap((from) =>
      POST_STATUSES.filter((to) => to !== from).map((to) => ({ from, to })),
    );
    test.each(finals)('refuses the way from $from to $to', async ({ from, to }) => {
      const id = await withStatus(from);
      const before = await get(id);
      expect(refusal(await change(id, { status: to }))).toEqual(
        catalogued(
          'post_status_final',
          'The status of a completed or failed post cannot be changed',
        ),
      );
      expect(await get(id)).toEqual(before);
    });

    test.each([
      [{}, `status must be one of ${POST_STATUSES.join(', ')}`],
      [{ status: 'EXECUTING' }, `status must be one of ${POST_STATUSES.join(', ')}`],
      [{ status: 'completed' }, `status must be one of ${POST_STATUSES.join(', ')}`],
      [{ status: 'FAILED', content: 'x' }, 'Unknown field: content'],
    ])('refuses %j', async (body, message) => {
      const before = await get(neighbour);
      expect(refusal(await change(neighbour, body))).toEqual(catalogued('invalid_input', message));
      expect(await get(neighbour)).toEqual(before);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know %s', async (id) => {
      expect(refusal(await change(id, { status: 'FAILED' }))).toEqual(NOT_FOUND);
    });

    test('never moves a post that the executor finished at the same moment', async () => {
      for (let round = 0; round < 40; round += 1) {
        const id = await withStatus('PROCESSING');
        const [answer, finished] = await Promise.all([
          change(id, { status: 'PENDING' }),
          api.db.execute(sql`
            update posts set status = 'COMPLETED' where id = ${id} and status = 'PROCESSING'`),
        ]);
        expect((await get(id)).status).toBe(finished === 1 ? 'COMPLETED' : 'PENDING');
        expect(answer.status).toBe(finished === 1 ? 409 : 200);
      }
    });
  });

  describe('cancel', () => {
    test.each(['PENDING', 'PROCESSING'] as const)('cancels a %s post', async (status) => {
      const id = await withStatus(status);
      const before = await get(id);
      const { post } = (await cancel(id)).answer;
      expect(post).toEqual({
        ...before,
        status: 'CANCELLED',
        version: 2,
        updated_at: post.updated_at,
      });
      expect(post.updated_at > before.updated_at).toBe(true);
      expect(await get(id)).toEqual(post);
      expect((await get(neighbour)).status).toBe('PENDING');
    });

    test.each(['COMPLETED', 'FAILED', 'CANCELLED'] as const)('refuses %s', async (status) => {
      const id = await withStatus(status);
      const before = await get(id);
      expect(refusal(await cancel(id))).toEqual(
        catalogued('post_not_cancellable', 'Only a pending or processing post can be cancelled'),
      );
      expect(await get(id)).toEqual(before);
    });

    test('happens once when asked ten times at once', async () => {
      const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(neighbour)));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(9);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know %s', async (id) => {
      expect(refusal(await cancel(id))).toEqual(NOT_FOUND);
    });
  });

  describe('delete', () => {
    test.each(POST_STATUSES)('removes a %s post for good, and no other', async (status) => {
      const id = await withStatus(status);
      const besides = await get(neighbour);
      expect((await remove(id)).answer).toEqual({ success: true });
      expect(refusal(await api.call(postGet, { token, params: { id } }))).toEqual(NOT_FOUND);
      expect(refusal(await remove(id))).toEqual(NOT_FOUND);
      expect(await get(neighbour)).toEqual(besides);
    });

    test.each([uuidV7(), 'not-an-id'])('does not know %s', async (id) => {
      expect(refusal(await remove(id))).toEqual(NOT_FOUND);
    });
  });
});
