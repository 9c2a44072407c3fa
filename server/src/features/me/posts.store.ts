import type { Hold } from '@meridian/contract/cause-words';
import {
  CAUSES,
  failedSentence,
  isCause,
  isHold,
  personSentence,
  retryCan,
} from '@meridian/contract/causes';
import type { CauseRetry } from '@meridian/contract/causes';
import type { MePost } from '@meridian/contract/me/posts';
import { networkPageOf } from '@meridian/contract/network';
import { linkCardIn, propertyOf } from '@meridian/contract/untrusted';
import { POST_STATUSES, postCan } from '@meridian/contract/posts';
import type { PostStatus, SortOrder } from '@meridian/contract/posts';
import { postsOfUser } from '../../counters/counters.ts';
import type { Db } from '../../db/database.ts';
import { pageStart, readPage } from '../../db/page.ts';
import type { Page, PageRequest } from '../../db/page.ts';
import { isExpected, sql } from '../../db/sql.ts';
import type { ExpectedVersions } from '../../db/sql.ts';
import { LATEST_SCHEDULE } from '../posts/posts.store.ts';
import type { ComposedPost } from './compose-post.ts';
import { shownMedia } from './media.ts';
import type { MediaRow } from './media.ts';

export type MyPostRow = {
  id: string;
  content: string;
  embed: unknown;
  languages: string[];
  reply_to: string | null;
  thread: unknown;
  status: PostStatus;
  scheduled_at: string;
  created_at: string;
  executed_at: string | null;
  at_uri: string | null;
  at_rkey: string | null;
  hold: string | null;
  cause: string | null;
  error_msg: string | null;
  version: number;
  retry_of: string | null;
  retried_as: string | null;
  is_journalled: boolean;
};

type ListedRow = MyPostRow & { bytes: number };

const COLUMNS = sql`t.id, t.content, t.embed, t.languages, t.reply_to, t.thread, t.status,
  t.scheduled_at, t.created_at, t.executed_at, t.at_uri, t.at_rkey, t.hold, t.cause,
  t.error_msg, t.version,
  (select o.id from posts o where o.id = t.retry_of) as retry_of,
  (select r.id from posts r where r.retry_of = t.id) as retried_as,
  exists (select from deliveries d where d.post_id = t.id) as is_journalled`;

export async function findMyPost(db: Db, userId: string, id: string): Promise<MyPostRow | null> {
  return db.maybeOne<MyPostRow>(sql`
    select ${COLUMNS} from posts t where t.id = ${id} and t.user_id = ${userId}`);
}

/** A thread with described pictures is up to 2 MB, so a hundred posts are not read at once. */
const POSTS_AT_ONCE = 20;
const PAGE_MAX_BYTES = 8_000_000;

export async function listMyPosts(
  db: Db,
  userId: string,
  request: PageRequest & { status?: PostStatus | undefined; order: SortOrder },
): Promise<Page<MyPostRow>> {
  const { status, order } = request;
  const isOfStatus = status === undefined ? sql`true` : sql`status = ${status}`;
  const query = {
    keyset: { ...LATEST_SCHEDULE, order },
    total: postsOfUser(userId, status === undefined ? POST_STATUSES : [status]),
    table: sql`posts`,
    condition: sql`user_id = ${userId} and ${isOfStatus}`,
    columns: sql`${COLUMNS}, octet_length(concat(t.embed, t.thread)) as bytes`,
  };
  const { isBackwards } = pageStart(query.keyset, request);
  const side = isBackwards ? 'previous' : 'next';
  const read = (from: PageRequest) =>
    readPage<ListedRow>(db, query, { ...from, limit: Math.min(from.limit, POSTS_AT_ONCE) });
  const page = await read(request);
  for (let { rows } = page; rows.length > 0;) {
    const cursor = page.cursors[side];
    const limit = request.limit - page.rows.length;
    const bytes = page.rows.reduce((sum, row) => sum + row.bytes, 0);
    if (cursor === null || limit === 0 || bytes > PAGE_MAX_BYTES) break;
    const more = await read({ cursor, offset: 0, limit });
    ({ rows } = more);
    page.rows = isBackwards ? [...rows, ...page.rows] : [...page.rows, ...rows];
    page.cursors[side] = more.cursors[side];
  }
  return page;
}

const jsonOf = (value: object | null) => (value === null ? null : sql.json(value));

/** The journal of a deleted post keeps its id taken. */
export async function findTaken(
  tx: Db,
  userId: string,
  id: string,
): Promise<{ isOwn: boolean } | null> {
  return tx.maybeOne(sql`
    select user_id = ${userId} as "isOwn" from posts where id = ${id}
    union all
    select false from deliveries where post_id = ${id} limit 1`);
}

export async function insertPost(
  tx: Db,
  userId: string,
  id: string,
  { content, facets, embed, languages, replyTo, thread }: ComposedPost,
  at: string,
): Promise<void> {
  await tx.execute(sql`
    insert into posts (id, user_id, content, facets, embed, languages, reply_to, thread, scheduled_at)
    values (${id}, ${userId}, ${content}, ${jsonOf(facets)}, ${jsonOf(embed)}, ${languages}, ${replyTo},
      ${jsonOf(thread)}, ${at})`);
}

/** The lock keeps the engine from taking the post meanwhile. */
export async function lockMyPost(
  tx: Db,
  { userId, id, expected }: { userId: string; id: string; expected: ExpectedVersions },
  at: string,
): Promise<{ isExpected: boolean; isMoved: boolean } | null> {
  return tx.maybeOne(sql`
    select ${isExpected(expected)} as "isExpected", scheduled_at <> ${at}::timestamptz as "isMoved"
    from posts where id = ${id} and user_id = ${userId} for no key update`);
}

export async function editPost(
  tx: Db,
  id: string,
  { content, facets, embed, languages, replyTo, thread }: ComposedPost,
  at: string,
): Promise<boolean> {
  const edited = await tx.execute(sql`
    update posts p set content = n.content, facets = n.facets, embed = n.embed, languages = n.languages,
      reply_to = n.reply_to, thread = n.thread, scheduled_at = n.scheduled_at, updated_at = now(),
      -- A new time is planned by the trigger; at the same time pictures may need an earlier claim.
      claim_at = case when p.scheduled_at = n.scheduled_at and p.hold is null
        then first_claim_at(n.scheduled_at, n.embed, n.reply_to, n.thread) else p.claim_at end
    from (select ${content}::text as content, ${jsonOf(facets)}::jsonb as facets,
            ${jsonOf(embed)}::jsonb as embed, ${languages}::text[] as languages,
            ${replyTo}::text as reply_to, ${jsonOf(thread)}::jsonb as thread,
            ${at}::timestamptz as scheduled_at) as n
    where p.id = ${id} and p.status = 'PENDING'
      and not exists (select from deliveries d where d.post_id = p.id)`);
  return edited > 0;
}

export async function insertRetry(tx: Db, userId: string, id: string): Promise<string | null> {
  const retry = await tx.maybeOne<{ id: string }>(sql`
    insert into posts (id, user_id, content, facets, embed, languages, reply_to, thread, scheduled_at, retry_of)
    select new_row_id(), user_id, content, facets, embed, languages, reply_to, thread, now(), id
    from posts where id = ${id} and user_id = ${userId} and (status = 'FAILED') is true and at_uri is null
    returning id`);
  return retry?.id ?? null;
}

export async function cancelPost(db: Db, userId: string, id: string): Promise<boolean> {
  const cancelled = await db.execute(sql`
    update posts set status = 'CANCELLED', updated_at = now()
    where id = ${id} and user_id = ${userId} and status in ('PENDING', 'PROCESSING')`);
  return cancelled > 0;
}

export async function deletePost(db: Db, userId: string, id: string): Promise<boolean> {
  const deleted = await db.execute(sql`
    delete from posts
    where id = ${id} and user_id = ${userId} and (status <> 'PROCESSING') is true`);
  return deleted > 0;
}

type ShownPart = Pick<MePost, 'content' | 'images' | 'external'>;
/** Another program may have stored more than this page shows; only a whole part can be edited here. */
type Part = { shown: ShownPart; isWhole: boolean };
type Shown = { did: string; networkUrl: string; media: ReadonlyMap<string, MediaRow> };

const OWN_EMBED = /^app\.bsky\.embed\.(?:images|external|record|recordWithMedia)$/u;

export function shownPost(row: MyPostRow, { did, networkUrl, media }: Shown): MePost {
  const first = partOf(row, media);
  const thread = listOf(row.thread).map((part) => partOf(part, media));
  const isWhole = [first, ...thread].every((part) => part.isWhole);
  return {
    id: row.id,
    ...first.shown,
    languages: row.languages,
    replyTo: row.reply_to,
    quote: quoteOf(row.embed),
    thread: thread.map(({ shown }) => shown),
    status: row.status,
    scheduledAt: row.scheduled_at,
    createdAt: row.created_at,
    publishedAt: row.at_uri === null ? null : row.executed_at,
    url:
      row.at_uri === null ? null : networkPageOf({ ...row, user: { did, handle: '' } }, networkUrl),
    sentence: sentenceFor(row),
    can: {
      edit: row.status === 'PENDING' && !row.is_journalled && isWhole,
      cancel: postCan.cancel(row),
      delete: row.status !== 'PROCESSING',
      retry: retryCan.retry(row),
    },
    retryOf: row.retry_of,
    retriedAs: row.retried_as,
    version: row.version,
  };
}

export function keysOf({ embed, thread }: Pick<MyPostRow, 'embed' | 'thread'>): string[] {
  return [embed, ...listOf(thread).map((part) => propertyOf(part, 'embed'))]
    .flatMap((one) =>
      imagesIn(one)
        .concat(propertyOf(cardIn(one), 'thumb'))
        .map(keyOf),
    )
    .filter((key) => key !== '');
}

function partOf(part: unknown, media: ReadonlyMap<string, MediaRow>): Part {
  const embed = propertyOf(part, 'embed') ?? null;
  const stored = imagesIn(embed);
  const images = stored.flatMap((image) => {
    const row = media.get(keyOf(image));
    return row === undefined ? [] : [{ media: shownMedia(row), alt: textOf(image, 'alt') }];
  });
  const card = cardIn(embed);
  const thumb = media.get(keyOf(propertyOf(card, 'thumb')));
  const external =
    card === null
      ? null
      : {
          uri: textOf(card, 'uri'),
          title: textOf(card, 'title'),
          description: textOf(card, 'description'),
          media: thumb === undefined ? null : shownMedia(thumb),
        };
  const isKnown = embed === null || OWN_EMBED.test(textOf(embed, '$type'));
  const hasThumb = (propertyOf(card, 'thumb') ?? null) !== null;
  return {
    shown: { content: textOf(part, 'content'), images, external },
    isWhole: isKnown && images.length === stored.length && hasThumb === (thumb !== undefined),
  };
}

/** A quote with media holds the pictures one level deeper. */
const mediaIn = (embed: unknown) => propertyOf(embed, 'media') ?? embed;
const imagesIn = (embed: unknown) => listOf(propertyOf(mediaIn(embed), 'images'));
const cardIn = (embed: unknown) => linkCardIn(mediaIn(embed)) ?? null;
const keyOf = (picture: unknown) => textOf(picture, 'key');

function quoteOf(embed: unknown): string | null {
  const record = propertyOf(embed, 'record');
  return textOf(record, 'uri') || textOf(propertyOf(record, 'record'), 'uri') || null;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown, field: string): string {
  const found = propertyOf(value, field);
  return typeof found === 'string' ? found : '';
}

const WAITS: Record<Hold, string> = {
  user_off: 'Waits until your account here is active again. Ask the operator of this service',
  closed_beta: 'Waits until you have access to the closed beta',
  reconnect: 'Connect your account again. Your posts wait until then',
  account_off: 'Your account is not active on its server. Your posts wait until it is',
  host_down: 'Your server does not respond. Your post goes out when it does',
  rate_limited: 'Your post is delayed by a rate limit. It goes out later',
  quota: "Your plan's posts of this month are used up. Get a larger plan, or choose another month",
  before_engine: 'Waits for the operator of this service',
  catch_up: 'Waits its turn after a pause of the service',
};

const DETAILS: Partial<Record<Hold, readonly string[]>> = {
  reconnect: ['scope_missing', 'moved'],
  account_off: ['account_deactivated'],
  rate_limited: ['rate_limited_host', 'rate_limited_account'],
};

const EXPLAINED = new Set(['invalid_record', 'too_long', 'too_many_images', 'image_too_large']);

const FINAL = new Set<CauseRetry>(['never', 'by_hand']);

/** Causes that do not fit the status are of an earlier attempt; a failed post may have any. */
const FITS: Record<Exclude<MyPostRow['status'], 'FAILED'>, (retry: CauseRetry) => boolean> = {
  PENDING: (retry) => !FINAL.has(retry),
  PROCESSING: (retry) => retry === 'backoff',
  COMPLETED: (retry) => FINAL.has(retry),
  CANCELLED: (retry) => FINAL.has(retry),
};

export function sentenceFor({
  status,
  hold,
  cause: word,
  error_msg,
}: Pick<MyPostRow, 'status' | 'hold' | 'cause' | 'error_msg'>): string | null {
  const cause = word !== null && isCause(word) ? word : null;
  if (status === 'FAILED') {
    const sentence = cause && failedSentence(cause);
    if (!sentence) return 'Your post could not be published';
    const explanation = EXPLAINED.has(cause) ? error_msg?.match(/: .*/su)?.[0] : null;
    return sentence + (explanation ?? '');
  }
  const fits = cause !== null && FITS[status](CAUSES[cause].retry);
  if (status === 'PENDING' && hold !== null && isHold(hold)) {
    const isDetail = fits && DETAILS[hold]?.includes(cause);
    return (isDetail ? personSentence(cause) : null) ?? WAITS[hold];
  }
  return fits ? personSentence(cause) : null;
}
