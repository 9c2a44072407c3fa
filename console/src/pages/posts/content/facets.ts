import { isDid } from './identifiers.ts';
import { propertyOf } from './property.ts';
import { safeLink } from './safe-link.ts';

export type Segment =
  | { kind: 'text'; text: string }
  | { kind: 'link'; text: string; href: string }
  | { kind: 'mention'; text: string; href: string; did: string }
  | { kind: 'tag'; text: string; href: string; tag: string };

type Feature = Segment extends infer S
  ? S extends { href: string }
    ? Omit<S, 'text'>
    : never
  : never;

const FACETS_MAX = 100;

/**
 * Cuts a text along its facets, whose offsets count UTF-8 bytes. Facets are written by strangers:
 * one that is malformed, out of range, overlapping or that splits a character is dropped and named
 * among the issues; its text stays, and the segments always join to the whole text.
 */
export function segmentsOf(
  text: string,
  facets: unknown,
): { segments: Segment[]; issues: string[] } {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const cut = (start: number, end: number) => decoder.decode(bytes.subarray(start, end));
  const segments: Segment[] = [];
  const issues: string[] = [];
  let cursor = 0;

  for (const { facet, number } of inOrder(facets, issues)) {
    const drop = (reason: string) => issues.push(`facet ${number}: ${reason}, dropped`);
    const range = rangeOf(facet);
    if (!range) {
      drop('has no valid range');
    } else if (range.start >= range.end || range.end > bytes.length) {
      drop(`${range.start}..${range.end} is out of range`);
    } else if (splitsCharacter(bytes, range.start) || splitsCharacter(bytes, range.end)) {
      drop(`${range.start}..${range.end} splits a character`);
    } else if (range.start < cursor) {
      drop('overlaps an earlier facet');
    } else {
      const feature = featureOf(facet, number, issues);
      if (feature) {
        if (range.start > cursor) segments.push({ kind: 'text', text: cut(cursor, range.start) });
        segments.push({ ...feature, text: cut(range.start, range.end) });
        cursor = range.end;
      }
    }
  }
  if (cursor < bytes.length) segments.push({ kind: 'text', text: cut(cursor, bytes.length) });
  return { segments, issues };
}

/** By where they start, as the network reads them; ties in the order given. */
function inOrder(facets: unknown, issues: string[]): { facet: unknown; number: number }[] {
  if (!Array.isArray(facets)) return [];
  const list: unknown[] = facets;
  if (list.length > FACETS_MAX)
    issues.push(`only the first ${FACETS_MAX} of ${list.length} facets are read`);
  return list
    .slice(0, FACETS_MAX)
    .map((facet, number) => ({ facet, number, start: rangeOf(facet)?.start ?? 0 }))
    .toSorted((a, b) => a.start - b.start);
}

function rangeOf(facet: unknown): { start: number; end: number } | null {
  const index = propertyOf(facet, 'index');
  const start = propertyOf(index, 'byteStart');
  const end = propertyOf(index, 'byteEnd');
  return isOffset(start) && isOffset(end) ? { start, end } : null;
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** A byte in the middle of a character looks like 10xxxxxx. */
function splitsCharacter(bytes: Uint8Array, offset: number): boolean {
  return ((bytes[offset] ?? 0) & 0b1100_0000) === 0b1000_0000;
}

/** The first feature that can be shown; those before it that cannot are named. */
function featureOf(facet: unknown, number: number, issues: string[]): Feature | null {
  const features = propertyOf(facet, 'features');
  for (const feature of Array.isArray(features) ? features : []) {
    const known = knownFeature(feature);
    if (known) return known;
    issues.push(
      `facet ${number}: unknown or invalid feature ${String(propertyOf(feature, '$type'))}`,
    );
  }
  return null;
}

function knownFeature(feature: unknown): Feature | null {
  const type = propertyOf(feature, '$type');
  if (type === 'app.bsky.richtext.facet#link') {
    const url = safeLink(propertyOf(feature, 'uri'));
    return url && { kind: 'link', href: url.href };
  }
  if (type === 'app.bsky.richtext.facet#mention') {
    const did = propertyOf(feature, 'did');
    if (!isDid(did)) return null;
    return { kind: 'mention', did, href: `https://bsky.app/profile/${did}` };
  }
  if (type === 'app.bsky.richtext.facet#tag') {
    const tag = propertyOf(feature, 'tag');
    if (typeof tag !== 'string' || tag === '' || !tag.isWellFormed()) return null;
    return { kind: 'tag', tag, href: `https://bsky.app/hashtag/${encodeURIComponent(tag)}` };
  }
  return null;
}
