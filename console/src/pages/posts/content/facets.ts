import { truncateGraphemes } from '../../../ui/truncate-graphemes.ts';
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
/** Of an address among the issues: enough to recognize it. */
const SHOWN_MAX = 200;

const LINK = 'app.bsky.richtext.facet#link';
const MENTION = 'app.bsky.richtext.facet#mention';
const TAG = 'app.bsky.richtext.facet#tag';

/**
 * Cuts a text along its facets, whose offsets count UTF-8 bytes. Facets are written by strangers:
 * one that is malformed, out of range, overlapping or that splits a character is dropped and named
 * among the issues; its text stays, and the segments always join to the whole text. One that runs
 * past the end reaches to the end, as in the network's own client: its readers see that link.
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
    const drop = (reason: string) =>
      issues.push(`Facet ${number} dropped${targetsOf(facet)}: ${reason}`);
    const range = rangeOf(facet);
    const end = Math.min(range?.end ?? 0, bytes.length);
    if (!range) {
      drop('it has no valid range');
    } else if (range.start >= end) {
      drop(`bytes ${range.start} to ${range.end} are out of range`);
    } else if (splitsCharacter(bytes, range.start) || splitsCharacter(bytes, end)) {
      drop(`bytes ${range.start} to ${range.end} split a character`);
    } else if (range.start < cursor) {
      drop('it overlaps an earlier facet');
    } else if (cut(range.start, end).trim() === '') {
      drop('its text is white space');
    } else {
      const feature = featureOf(facet, number, issues);
      if (feature) {
        if (range.start > cursor) segments.push({ kind: 'text', text: cut(cursor, range.start) });
        segments.push({ ...feature, text: cut(range.start, end) });
        cursor = end;
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
    issues.push(`Only the first ${FACETS_MAX} of ${list.length} facets are read`);
  return list
    .slice(0, FACETS_MAX)
    .map((facet, index) => ({ facet, number: index + 1, start: rangeOf(facet)?.start ?? 0 }))
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
  const features = featuresOf(facet);
  if (features.length === 0) issues.push(`Facet ${number} dropped: it has no feature`);
  for (const feature of features) {
    const known = knownFeature(feature);
    if (known) return known;
    issues.push(`Facet ${number}: ${refusalOf(feature)}`);
  }
  return null;
}

function featuresOf(facet: unknown): unknown[] {
  const features = propertyOf(facet, 'features');
  return Array.isArray(features) ? features : [];
}

/** Why a feature is not shown. */
function refusalOf(feature: unknown): string {
  const type = shown(propertyOf(feature, '$type'));
  if (type === LINK) return `Refused link target ${shown(propertyOf(feature, 'uri'))}`;
  if (type === MENTION) return `Invalid DID in a mention: ${shown(propertyOf(feature, 'did'))}`;
  if (type === TAG) return 'Invalid hashtag';
  return `Unknown feature ${type}`;
}

/** Where a facet that is not drawn would have led: ' (https://…)'. */
function targetsOf(facet: unknown): string {
  const targets = featuresOf(facet)
    .map((one) => propertyOf(one, 'uri') ?? propertyOf(one, 'did') ?? propertyOf(one, 'tag'))
    .filter((target) => typeof target === 'string' && target !== '');
  return targets.length === 0 ? '' : ` (${targets.map(shown).join(', ')})`;
}

/** What a stranger wrote in place of a word, kept short. */
function shown(value: unknown): string {
  return typeof value === 'string' ? truncateGraphemes(value, SHOWN_MAX) : typeof value;
}

function knownFeature(feature: unknown): Feature | null {
  const type = propertyOf(feature, '$type');
  if (type === LINK) {
    const url = safeLink(propertyOf(feature, 'uri'));
    return url && { kind: 'link', href: url.href };
  }
  if (type === MENTION) {
    const did = propertyOf(feature, 'did');
    if (!isDid(did)) return null;
    return { kind: 'mention', did, href: `https://bsky.app/profile/${did}` };
  }
  if (type === TAG) {
    const tag = propertyOf(feature, 'tag');
    if (typeof tag !== 'string' || tag === '' || !tag.isWellFormed()) return null;
    return { kind: 'tag', tag, href: `https://bsky.app/hashtag/${encodeURIComponent(tag)}` };
  }
  return null;
}
