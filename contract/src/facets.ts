import { NETWORK_LIMITS, countGraphemes } from './network.ts';
import { isDid, propertyOf, safeLink } from './untrusted.ts';

const FACET = 'app.bsky.richtext.facet';
export const FACET_LINK = `${FACET}#link`;
export const FACET_MENTION = `${FACET}#mention`;
export const FACET_TAG = `${FACET}#tag`;

export type FacetFeature =
  | { $type: typeof FACET_LINK; uri: string }
  | { $type: typeof FACET_MENTION; did: string }
  | { $type: typeof FACET_TAG; tag: string };
/** In UTF-8 bytes of the text; the end is exclusive. */
export type FacetRange = { start: number; end: number; feature: FacetFeature };

export const FACETS_MAX = 100;
const SHOWN_MAX = 200;

/**
 * The usable facets of a text, in its order and without overlaps. Facets are untrusted: one that is
 * malformed, out of range, overlapping or that splits a character is dropped and named among the
 * issues. One that runs past the end reaches to the end, as in the network's own client.
 */
export function facetsOf(
  text: string,
  facets: unknown,
): { ranges: FacetRange[]; issues: string[] } {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const ranges: FacetRange[] = [];
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
    } else if (decoder.decode(bytes.subarray(range.start, end)).trim() === '') {
      drop('its text is white space');
    } else {
      const feature = featureOf(facet, number, issues);
      if (feature) {
        ranges.push({ start: range.start, end, feature });
        cursor = end;
      }
    }
  }
  return { ranges, issues };
}

/** The network reads facets by their start, ties in the order given. */
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

function featureOf(facet: unknown, number: number, issues: string[]): FacetFeature | null {
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

function refusalOf(feature: unknown): string {
  const type = shown(propertyOf(feature, '$type'));
  if (type === FACET_LINK) return `Refused link target ${shown(propertyOf(feature, 'uri'))}`;
  if (type === FACET_MENTION)
    return `Invalid DID in a mention: ${shown(propertyOf(feature, 'did'))}`;
  if (type === FACET_TAG) return 'Invalid hashtag';
  return `Unknown feature ${type}`;
}

function targetsOf(facet: unknown): string {
  const targets = featuresOf(facet)
    .map((one) => propertyOf(one, 'uri') ?? propertyOf(one, 'did') ?? propertyOf(one, 'tag'))
    .filter((target) => typeof target === 'string' && target !== '');
  return targets.length === 0 ? '' : ` (${targets.map(shown).join(', ')})`;
}

function shown(value: unknown): string {
  if (typeof value !== 'string') return typeof value;
  return value.length <= SHOWN_MAX ? value : `${value.slice(0, SHOWN_MAX).toWellFormed()}…`;
}

function knownFeature(feature: unknown): FacetFeature | null {
  const type = propertyOf(feature, '$type');
  if (type === FACET_LINK) {
    const url = safeLink(propertyOf(feature, 'uri'));
    return url && { $type: type, uri: url.href };
  }
  if (type === FACET_MENTION) {
    const did = propertyOf(feature, 'did');
    return isDid(did) ? { $type: type, did } : null;
  }
  if (type === FACET_TAG) {
    const tag = propertyOf(feature, 'tag');
    return isTag(tag) ? { $type: type, tag } : null;
  }
  return null;
}

function isTag(tag: unknown): tag is string {
  if (typeof tag !== 'string' || tag === '' || !tag.isWellFormed()) return false;
  const { tagBytes, tagCharacters } = NETWORK_LIMITS;
  return (
    tag.length <= tagBytes &&
    new TextEncoder().encode(tag).length <= tagBytes &&
    countGraphemes(tag) <= tagCharacters
  );
}
