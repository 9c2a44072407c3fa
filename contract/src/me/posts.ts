import * as z from 'zod/mini';
import { endpoint, success } from '../endpoint.ts';
import {
  choice,
  count,
  cursors,
  flag,
  id,
  instant,
  paging,
  paragraph,
  timestamp,
} from '../fields.ts';
import { atMost } from '../length.ts';
import { POST_STATUSES, SORT_ORDER_DEFAULT, SORT_ORDERS } from '../posts.ts';

export const ALT_MAX_LENGTH = 2000;
/** In code points; the plan's limit counts graphemes. */
export const CONTENT_MAX_LENGTH = 3000;
export const ADDRESS_MAX_LENGTH = 2000;
export const MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export const MEDIA_MAX_EDGE = 10_000;
export const MEDIA_MAX_PIXELS = 40_000_000;

const MEDIA_REQUIRED = 'Send the bytes of a picture';

const address = (label: string) =>
  z.string().check(z.trim(), atMost(ADDRESS_MAX_LENGTH, `${label} is too long`));
const content = z
  .string({ error: 'Text must be text' })
  .check(atMost(CONTENT_MAX_LENGTH, `Text must be at most ${CONTENT_MAX_LENGTH} characters`));

const media = z.object({
  id,
  url: z.string(),
  mimeType: z.string(),
  width: count,
  height: count,
  bytes: count,
});
export type Media = z.output<typeof media>;

const imageInput = z.strictObject({ mediaId: id, alt: paragraph('Alt text', ALT_MAX_LENGTH) });
const cardInput = z.strictObject({
  uri: address('Link'),
  title: paragraph('Title', 300),
  description: paragraph('Description', 1000),
  mediaId: z.nullable(id),
});
const part = {
  content,
  images: z._default(z.array(imageInput).check(z.maxLength(4)), []),
  external: z._default(z.nullable(cardInput), null),
};
const postInput = {
  ...part,
  languages: z._default(
    z.array(z.string().check(z.regex(/^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$/u))).check(z.maxLength(3)),
    [],
  ),
  /** AT URI or address on bsky.app. */
  replyTo: z._default(z.nullable(address('Reply')), null),
  quote: z._default(z.nullable(address('Quote')), null),
  thread: z._default(z.array(z.strictObject(part)).check(z.maxLength(24)), []),
  scheduledAt: instant('Time'),
};
export const mePostBody = z.strictObject(postInput);
export type MePostInput = z.output<typeof mePostBody>;

const card = z.object({
  uri: z.string(),
  title: z.string(),
  description: z.string(),
  media: z.nullable(media),
});
const shownPart = {
  content: z.string(),
  images: z.array(z.object({ media, alt: z.string() })),
  external: z.nullable(card),
};
export const mePost = z.object({
  id,
  ...shownPart,
  languages: z.array(z.string()),
  replyTo: z.nullable(z.string()),
  quote: z.nullable(z.string()),
  thread: z.array(z.object(shownPart)),
  status: z.string(),
  scheduledAt: timestamp,
  createdAt: timestamp,
  publishedAt: z.nullable(timestamp),
  url: z.nullable(z.string()),
  sentence: z.nullable(z.string()),
  can: z.object({
    edit: z.boolean(),
    cancel: z.boolean(),
    delete: z.boolean(),
    retry: z.boolean(),
  }),
  retryOf: z.nullable(id),
  retriedAs: z.nullable(id),
  /** For If-Match. */
  version: z.int(),
});
export type MePost = z.output<typeof mePost>;
const postEnvelope = z.object({ post: mePost });

export const meMediaUpload = endpoint({
  name: 'meMediaUpload',
  method: 'POST',
  path: '/api/me/media',
  right: 'members',
  summary: 'Upload a picture: the bytes themselves, PNG, JPEG or WebP by content',
  status: 201,
  body: z.instanceof(Uint8Array, { error: MEDIA_REQUIRED }),
  answer: z.object({ media }),
});

export const meMediaGet = endpoint({
  name: 'meMediaGet',
  method: 'GET',
  path: '/api/me/media/{id}',
  right: 'members',
  summary: 'One of my pictures',
  media: 'picture',
  answer: z.instanceof(Uint8Array),
});

export const meLinkCard = endpoint({
  name: 'meLinkCard',
  method: 'POST',
  path: '/api/me/link-card',
  right: 'members',
  summary: 'Title, description and picture of a public web page',
  body: z.strictObject({ uri: address('Link') }),
  answer: z.object({ card }),
});

export const mePostCreate = endpoint({
  name: 'mePostCreate',
  method: 'POST',
  path: '/api/me/posts',
  right: 'members',
  summary: 'Schedule a post',
  takesKey: true,
  status: 201,
  body: mePostBody,
  answer: postEnvelope,
});

export const mePostList = endpoint({
  name: 'mePostList',
  method: 'GET',
  path: '/api/me/posts',
  right: 'members',
  summary: 'My posts by their scheduled time, the latest first unless asked otherwise',
  query: z.strictObject({
    ...paging,
    status: z.optional(choice('status', POST_STATUSES)),
    order: z._default(choice('order', SORT_ORDERS), SORT_ORDER_DEFAULT),
  }),
  answer: z.object({ posts: z.array(mePost), total: count, cursors }),
});

export const mePostGet = endpoint({
  name: 'mePostGet',
  method: 'GET',
  path: '/api/me/posts/{id}',
  right: 'members',
  summary: 'One of my posts',
  answer: postEnvelope,
});

export const mePostUpdate = endpoint({
  name: 'mePostUpdate',
  method: 'PATCH',
  path: '/api/me/posts/{id}',
  right: 'members',
  summary: 'Replace content and time of a waiting post (If-Match)',
  body: mePostBody,
  answer: postEnvelope,
});

export const mePostCancel = endpoint({
  name: 'mePostCancel',
  method: 'POST',
  path: '/api/me/posts/{id}/cancel',
  right: 'members',
  summary: 'Cancel a waiting or processing post',
  answer: postEnvelope,
});

export const mePostDelete = endpoint({
  name: 'mePostDelete',
  method: 'DELETE',
  path: '/api/me/posts/{id}',
  right: 'members',
  summary: 'Delete a post that is not being published; what was published stays on the network',
  answer: success,
});

export const mePostRetry = endpoint({
  name: 'mePostRetry',
  method: 'POST',
  path: '/api/me/posts/{id}/retry',
  right: 'members',
  summary: 'Schedule a failed post again as a new one',
  /** After an unknown outcome the member looked, and the post is not there. */
  body: z.strictObject({ iLooked: z._default(flag('iLooked'), false) }),
  answer: postEnvelope,
});
