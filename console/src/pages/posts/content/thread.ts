import { propertyOf } from '@meridian/contract/untrusted';

export type ThreadPart = { content: string; facets: unknown; embed: unknown };

/** As many as one call publishes, besides the first. */
const PARTS_MAX = 24;

/** The further posts of a thread. Stored by others: what is no text is an empty one. */
export function threadOf(thread: unknown): ThreadPart[] {
  if (!Array.isArray(thread)) return [];
  return thread.slice(0, PARTS_MAX).map((part: unknown) => {
    const content = propertyOf(part, 'content');
    return {
      content: typeof content === 'string' ? content : '',
      facets: propertyOf(part, 'facets'),
      embed: propertyOf(part, 'embed'),
    };
  });
}
