import { FACETS_MAX, FACET_LINK, FACET_MENTION, FACET_TAG } from '@meridian/contract/facets';
import type { FacetFeature } from '@meridian/contract/facets';
import type { MePostInput } from '@meridian/contract/me/posts';
import { NETWORK_LIMITS, countGraphemes, textTooLarge } from '@meridian/contract/network';
import { isDid, safeLink } from '@meridian/contract/untrusted';
import { LinkifyIt } from 'linkify-it';
import { AppError, invalidField } from '../../http/errors.ts';
import { createConcurrencyLimit } from '../../http/limits.ts';
import type { MediaRow } from './media.ts';

type PartInput = Pick<MePostInput, 'content' | 'images' | 'external'>;
type Part = { content: string; facets: Facet[] | null; embed: object | null };

export type ComposedPost = Part & {
  languages: string[];
  replyTo: string | null;
  thread: Part[] | null;
};

type ComposeTools = {
  resolve: ResolveHandle;
  media: ReadonlyMap<string, MediaRow>;
};

/** Each lookup is a call to a host; further handles of a post with its thread stay text. */
const HANDLES_MAX = 50;
const HANDLES_AT_ONCE = { atOnce: 8, queue: HANDLES_MAX, waitMs: 2_000 };

export function mediaIdsOf({ thread, ...first }: MePostInput): string[] {
  const ids = [first, ...thread].flatMap(({ images, external }) =>
    [...images, ...(external ? [external] : [])].map(({ mediaId }) => mediaId),
  );
  return [...new Set(ids)].filter((id) => id !== null);
}

export async function composePost(input: MePostInput, tools: ComposeTools): Promise<ComposedPost> {
  const quote = await postUri('quote', input.quote, tools);
  const mentions = { ...tools, resolve: eachOnce(tools.resolve, HANDLES_MAX) };
  const [first, ...further] = await Promise.all(
    [input, ...input.thread].map((part, index) =>
      composePart(
        part,
        index === 0 ? '' : `thread.${index - 1}.`,
        mentions,
        index === 0 ? quote : null,
      ),
    ),
  );
  if (first === undefined) throw new Error('A post has a first part');
  return {
    ...first,
    languages: input.languages,
    replyTo: await postUri('replyTo', input.replyTo, tools),
    thread: further.length === 0 ? null : further,
  };
}

function eachOnce(resolve: ResolveHandle, max: number): ResolveHandle {
  const asked = new Map<string, Promise<string | null>>();
  const limit = createConcurrencyLimit(HANDLES_AT_ONCE);
  return async (handle) => {
    const known = asked.get(handle);
    if (known !== undefined || asked.size >= max) return known ?? null;
    const did = limit
      .run(() => resolve(handle))
      .catch((error: unknown) => {
        if (error instanceof AppError) return null;
        throw error;
      });
    asked.set(handle, did);
    return did;
  };
}

async function composePart(
  { content, images, external }: PartInput,
  path: string,
  tools: ComposeTools,
  quote: string | null,
): Promise<Part> {
  if (images.length > 0 && external !== null) {
    throw invalidField(`${path}external`, 'A post has pictures or a link card, not both');
  }
  const media = imagesEmbed(images, `${path}images`, tools) ?? cardEmbed(external, path, tools);
  if (content.trim() === '' && media === null && quote === null) {
    throw invalidField(`${path}content`, 'Write something, or add a picture');
  }
  const bytes = Buffer.byteLength(content);
  if (bytes > NETWORK_LIMITS.textBytes) {
    throw invalidField(`${path}content`, textTooLarge(bytes));
  }
  const facets = await detectFacets(content, tools.resolve);
  const embed = withQuote(media, quote);
  return { content, facets: facets.length === 0 ? null : facets, embed };
}

function imagesEmbed(images: PartInput['images'], path: string, { media }: ComposeTools) {
  if (images.length === 0) return null;
  const shown = images.map(({ mediaId, alt }) => {
    const { key, width, height } = known(media.get(mediaId), path);
    return { key, alt, aspectRatio: { width, height } };
  });
  return { $type: 'app.bsky.embed.images', images: shown };
}

function cardEmbed(card: PartInput['external'], path: string, { media }: ComposeTools) {
  if (card === null) return null;
  const url = safeLink(card.uri);
  if (url === null) throw invalidField(`${path}external`, 'The link must be a web address');
  const { mediaId, title, description } = card;
  const thumb = mediaId === null ? null : known(media.get(mediaId), `${path}external`);
  if (thumb !== null && thumb.bytes > NETWORK_LIMITS.thumbBytes) {
    throw invalidField(`${path}external`, 'The picture of the link card is larger than 1 MB');
  }
  const external = {
    uri: url.href,
    title,
    description,
    ...(thumb && { thumb: { key: thumb.key } }),
  };
  return { $type: 'app.bsky.embed.external', external };
}

function withQuote(media: object | null, uri: string | null): object | null {
  if (uri === null) return media;
  if (media === null) return { $type: 'app.bsky.embed.record', record: { uri } };
  return { $type: 'app.bsky.embed.recordWithMedia', record: { record: { uri } }, media };
}

export const PICTURE_GONE = 'A picture of this post is no longer here. Upload it again';

function known(media: MediaRow | undefined, path: string): MediaRow {
  if (media === undefined) throw invalidField(path, PICTURE_GONE);
  return media;
}

const AT_URI = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([a-zA-Z0-9_~.:-]{1,512})$/u;
const PAGE = /\/profile\/([^/]+)\/post\/([a-zA-Z0-9_~.:-]{1,512})\/?$/u;

async function postUri(
  path: 'replyTo' | 'quote',
  address: string | null,
  { resolve }: ComposeTools,
): Promise<string | null> {
  if (address === null || address === '') return null;
  const [, author = '', rkey] =
    AT_URI.exec(address) ?? PAGE.exec(safeLink(address)?.pathname ?? '') ?? [];
  if (rkey === undefined) {
    throw invalidField(path, 'This is not the address of a post. Copy it from the post itself');
  }
  const name = author.replaceAll(/%3a/giu, ':');
  const handle = name.toLowerCase();
  const did = isDid(name) ? name : await resolve(handle);
  if (did === null) {
    const message =
      'The author of this post was not found. Check the address, or try again in a moment';
    throw invalidField(path, message);
  }
  return `at://${did}/app.bsky.feed.post/${rkey}`;
}

type Facet = { index: { byteStart: number; byteEnd: number }; features: FacetFeature[] };
type ResolveHandle = (handle: string) => Promise<string | null>;

type Found = { start: number; end: number; feature: FacetFeature };

const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: false });

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const MENTION = new RegExp(
  String.raw`(?<=^|[\s(（「])@((?:${LABEL}\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?![a-z0-9-])`,
  'giu',
);
const TAG =
  /(?<=^|[\s(（「])[#＃](?!\ufe0f|\u20e3)([^\s#＃\u00ad\u200b\u2060\u3001-\u303f！？（）]+)/gu;
const MENTIONS_MAX = 20;

export async function detectFacets(text: string, resolve: ResolveHandle): Promise<Facet[]> {
  const found = [...linksIn(text), ...tagsIn(text), ...(await mentionsIn(text, resolve))];
  const facets: Facet[] = [];
  let end = 0;
  for (const one of found.toSorted((a, b) => a.start - b.start).slice(0, FACETS_MAX)) {
    if (one.start < end) continue;
    end = one.end;
    const byteStart = Buffer.byteLength(text.slice(0, one.start));
    const byteEnd = byteStart + Buffer.byteLength(text.slice(one.start, one.end));
    facets.push({ index: { byteStart, byteEnd }, features: [one.feature] });
  }
  return facets;
}

function linksIn(text: string): Found[] {
  return (linkify.match(text) ?? []).flatMap(({ index: start, lastIndex: end, raw, schema }) => {
    const url = safeLink(schema === '' ? `https://${raw}` : raw);
    if (url === null || !url.hostname.includes('.')) return [];
    return [{ start, end, feature: { $type: FACET_LINK, uri: url.href } }];
  });
}

function tagsIn(text: string): Found[] {
  const tags: Found[] = [];
  for (const { index: start, 1: word = '' } of text.matchAll(TAG)) {
    const tag = word.replace(/\p{P}+$/u, '');
    const isTag =
      /[^\p{P}\d]/u.test(tag) &&
      countGraphemes(tag) <= NETWORK_LIMITS.tagCharacters &&
      Buffer.byteLength(tag) <= NETWORK_LIMITS.tagBytes;
    if (isTag) {
      tags.push({ start, end: start + 1 + tag.length, feature: { $type: FACET_TAG, tag } });
    }
    // Further tags would be dropped anyway: a thread of tags took 190 ms.
    if (tags.length === FACETS_MAX) break;
  }
  return tags;
}

async function mentionsIn(text: string, resolve: ResolveHandle): Promise<Found[]> {
  const named = [...text.matchAll(MENTION)].map(({ index: start, 1: name = '' }) => ({
    start,
    end: start + 1 + name.length,
    handle: name.toLowerCase(),
  }));
  const handles = [...new Set(named.map(({ handle }) => handle))].slice(0, MENTIONS_MAX);
  const dids = new Map(
    await Promise.all(handles.map(async (name) => [name, await resolve(name)] as const)),
  );
  return named.flatMap(({ handle, ...range }) => {
    const did = dids.get(handle) ?? null;
    return did === null ? [] : [{ ...range, feature: { $type: FACET_MENTION, did } }];
  });
}
