import { FACET_LINK, FACET_MENTION, FACET_TAG, FACETS_MAX } from '@meridian/contract/facets';
import type { FacetFeature } from '@meridian/contract/facets';
import { countGraphemes, NETWORK_LIMITS } from '@meridian/contract/network';
import { safeLink } from '@meridian/contract/untrusted';
import { LinkifyIt } from 'linkify-it';

/** As the network stores it: positions are bytes of the text in UTF-8. */
export type Facet = {
  index: { byteStart: number; byteEnd: number };
  features: FacetFeature[];
};
/** Null: there is no such handle, or it cannot be found out now. */
export type ResolveHandle = (handle: string) => Promise<string | null>;

/** In UTF-16 units, as JavaScript counts. */
type Found = { start: number; end: number; feature: FacetFeature };

const linkify = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: false });

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const MENTION = new RegExp(
  String.raw`(?<=^|[\s(（「])@((?:${LABEL}\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?![a-z0-9-])`,
  'giu',
);
/** Up to a space, another tag or the punctuation of East Asia. The keycap emoji is no tag. */
const TAG =
  /(?<=^|[\s(（「])[#＃](?!\ufe0f|\u20e3)([^\s#＃\u00ad\u200b\u2060\u3001-\u303f！？（）]+)/gu;
/** Resolved for one text; each is a call to a host. */
const MENTIONS_MAX = 20;

/** Links, mentions and hashtags of a text. A mention whose handle is not found stays text. */
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
    // No further one can be among the facets that are kept: a thread of tags took 190 ms.
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
