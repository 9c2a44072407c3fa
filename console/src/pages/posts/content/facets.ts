import { FACET_LINK, FACET_MENTION, facetsOf } from '@meridian/contract/facets';
import type { FacetFeature } from '@meridian/contract/facets';

export type Segment =
  | { kind: 'text'; text: string }
  | { kind: 'link' | 'mention' | 'tag'; text: string; href: string };

/** Cuts a text along its usable facets. The segments always join to the whole text. */
export function segmentsOf(
  text: string,
  facets: unknown,
): { segments: Segment[]; issues: string[] } {
  const bytes = new TextEncoder().encode(text);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const cut = (start: number, end: number) => decoder.decode(bytes.subarray(start, end));
  const { ranges, issues } = facetsOf(text, facets);
  const segments: Segment[] = [];
  let cursor = 0;
  for (const { start, end, feature } of ranges) {
    if (start > cursor) segments.push({ kind: 'text', text: cut(cursor, start) });
    segments.push(segmentOf(cut(start, end), feature));
    cursor = end;
  }
  if (cursor < bytes.length) segments.push({ kind: 'text', text: cut(cursor, bytes.length) });
  return { segments, issues };
}

function segmentOf(text: string, feature: FacetFeature): Segment {
  if (feature.$type === FACET_LINK) return { kind: 'link', text, href: feature.uri };
  if (feature.$type === FACET_MENTION) {
    return { kind: 'mention', text, href: `https://bsky.app/profile/${feature.did}` };
  }
  const tag = encodeURIComponent(feature.tag);
  return { kind: 'tag', text, href: `https://bsky.app/hashtag/${tag}` };
}
