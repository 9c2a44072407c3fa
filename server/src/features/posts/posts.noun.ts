import type { QueryOf } from '@meridian/contract/endpoint';
import type { postExport } from '@meridian/contract/exports';
import { postCan, postStatusOf, postStatusTargets, postUpdate } from '@meridian/contract/posts';
import type { PostStatus } from '@meridian/contract/posts';
import type { ErrorCode } from '@meridian/contract/errors';
import type { Db } from '../../db/database.ts';
import { PLAN_BY_INDEX_LOCALLY, sql } from '../../db/sql.ts';
import type { Sql } from '../../db/sql.ts';
import { AppError } from '../../http/errors.ts';
import { counted, LARGEST_BATCH, parsed, refuse } from '../noun.ts';
import type { ExportSource, ManyTools, Noun, Rows } from '../noun.ts';
import { postFilterCondition, selectFound } from './posts-filtered.store.ts';
import { createPostsService } from './posts.service.ts';
import { DELETED_POST } from './posts.store.ts';
import { insertRetries, RETRY_STATE } from './retry.ts';

const ROWS: Rows = {
  table: sql`posts`,
  state: sql`t.status`,
  example: sql`'@' || u.handle || ': ' || left(t.content, 100) as label, t.languages`,
  joins: sql`join users u on u.id = t.user_id`,
  notFound: 'post_not_found',
  matching: async (_, { posts = {} }) =>
    sql`select id from posts where ${postFilterCondition(posts)}`,
};
const MANY = {
  rows: ROWS,
  batch: LARGEST_BATCH,
  state: ROWS.state,
  was: sql`jsonb_build_object('status', t.status)`,
};
/** Each retry may ask a host, all at once. */
const RETRY_BATCH = 20;
const TITLE_MAX = sql.whole(100);

export const postNoun = {
  topics: ['posts'],
  reversal: {
    read: (db, id) => createPostsService(db).get(id),
    write: (db, by, { id, version }, before) =>
      createPostsService(db).changeStatus(by, id, parsed(postUpdate.body, before).status, [
        version,
      ]),
  },
  found: {
    select: sql`
      select 'post' as kind, t.id, left(t.content, ${TITLE_MAX}) as title,
        '@' || u.handle || ' · ' || t.status as detail
      from posts t join users u on u.id = t.user_id`,
    id: sql`t.id`,
  },
  file: fileOf,
  many: {
    postCancel: {
      ...MANY,
      refusal: (status) => (postCan.cancel({ status }) ? null : refuse('post_not_cancellable')),
      change: (ids) => setStatus(ids, 'CANCELLED'),
      sentences: ({ count, in: of }) => [
        `${posts(count)} will be cancelled and not published.`,
        underWay(of('PROCESSING')),
      ],
    },
    postStatus: {
      ...MANY,
      refusal: statusRefusal,
      change: setStatus,
      sentences: ({ count, value, in: of }) => [
        `${posts(count)} will be set to ${value}.`,
        value === 'PENDING'
          ? 'Those whose time has passed are published at once, or fail as too late.'
          : null,
        value === 'PROCESSING' ? 'The engine publishes them as soon as it can.' : null,
        value === 'PROCESSING' || value === 'PENDING' ? null : underWay(of('PROCESSING')),
      ],
    },
    postRetry: {
      ...MANY,
      batch: RETRY_BATCH,
      state: RETRY_STATE,
      refusal: (state) => (state === 'open' ? null : refuse(state as ErrorCode)), // as RETRY_STATE says
      look: whyNotRetry,
      change: insertRetries,
      sentences: ({ count }) => [
        `${posts(count)} will be scheduled again, ${count === 1 ? 'as' : 'each as'} a new post that is due now and names the old one.`,
        'What turns out to be published already is skipped.',
      ],
    },
    postDelete: {
      ...MANY,
      was: DELETED_POST,
      refusal: () => null,
      change: (ids) => sql`delete from posts where id = any(${ids}::uuid[])`,
      sentences: ({ count, in: of }) => [
        `${posts(count)} will be deleted. This cannot be undone.`,
        of('COMPLETED') > 0
          ? `${posts(of('COMPLETED'))} of them ${are(of('COMPLETED'))} published and ${of('COMPLETED') === 1 ? 'stays' : 'stay'} on the network.`
          : null,
        underWay(of('PROCESSING')),
      ],
    },
  },
} satisfies Noun;

function fileOf(filter: Omit<QueryOf<typeof postExport>, 'format'>): ExportSource {
  const status = filter.status === undefined ? undefined : postStatusOf(filter.status);
  return async (tx) => {
    const list = { sort: 'scheduled_at', order: 'desc', status } as const;
    const found = await selectFound(tx, filter, list);
    await tx.execute(PLAN_BY_INDEX_LOCALLY);
    return sql`
      select t.id, t.user_id, u.handle as user_handle, u.did as user_did,
        u.display_name as user_display_name, t.status, t.scheduled_at, t.created_at, t.updated_at,
        t.executed_at, t.content, t.languages, t.at_uri, t.cause, t.hold, t.error_msg
      from (${found}) as found
      join posts t on t.id = found.id join users u on u.id = t.user_id`;
  };
}

function setStatus(ids: readonly string[], status: string | null): Sql {
  return sql`
    update posts set status = ${status}, version = version + 1, updated_at = now()
    where id = any(${ids}::uuid[])`;
}

function statusRefusal(state: string, to: string | null): string | null {
  if (postStatusTargets(state).includes(to as PostStatus)) return null; // a value of the contract
  return refuse(state === to ? 'post_status_same' : 'post_status_final');
}

async function whyNotRetry(
  db: Db,
  { requireRetryable }: ManyTools,
  id: string,
): Promise<string | null> {
  try {
    await requireRetryable(db, id);
    return null;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
}

function underWay(count: number): string | null {
  return count === 0
    ? null
    : `${posts(count)} of them ${are(count)} being published and may be out already.`;
}

function posts(count: number): string {
  return counted(count, 'post', 'posts');
}

function are(count: number): string {
  return count === 1 ? 'is' : 'are';
}
