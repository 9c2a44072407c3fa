/** A marked range of a text, in UTF-8 bytes as the network counts them. */
export type Facet = {
  index: { byteStart: number; byteEnd: number };
  features: { $type: string; uri?: string; did?: string; tag?: string }[];
};
export type RichText = { text: string; facets: Facet[] };

export type TextAuthor = {
  /** The author's own site, without scheme. */
  site: string;
  showsScheme: boolean;
  /** The user to mention. */
  mention(): { handle: string; did: string };
};

// A tag needs a letter: `issue #212` is none.
const MARK = /\{@\}|\{link\/([\w-]+)\}|(?<=^|\s)#((?=[\p{N}_]*\p{L})[\p{L}\p{M}\p{N}_]+)/gu;

/** Turns `{@}`, `{link/path}` and `#Tag` into text and facets. */
export function richText(template: string, author: TextAuthor): RichText {
  let text = '';
  let bytes = 0;
  const facets: Facet[] = [];
  const append = (part: string): void => {
    text += part;
    bytes += Buffer.byteLength(part);
  };
  const appendMarked = (part: string, feature: Facet['features'][number]): void => {
    const byteStart = bytes;
    append(part);
    facets.push({ index: { byteStart, byteEnd: bytes }, features: [feature] });
  };

  let done = 0;
  for (const match of template.matchAll(MARK)) {
    append(template.slice(done, match.index));
    done = match.index + match[0].length;
    const [, path, tag] = match;
    if (path !== undefined) {
      const address = `${author.site}/${path}`;
      const shown = author.showsScheme ? `https://${address}` : address;
      appendMarked(shown, { $type: 'app.bsky.richtext.facet#link', uri: `https://${address}` });
    } else if (tag !== undefined) {
      appendMarked(`#${tag}`, { $type: 'app.bsky.richtext.facet#tag', tag });
    } else {
      const { handle, did } = author.mention();
      appendMarked(`@${handle}`, { $type: 'app.bsky.richtext.facet#mention', did });
    }
  }
  append(template.slice(done));
  return { text, facets };
}

/** What the network takes, in characters as people see them. */
export const NETWORK_MAX_LENGTH = 300;

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * The length as people, and the network's limit, count it. Exact where it matters: a text cannot
 * have more characters than code units, and short texts need no closer look.
 */
export function lengthOf(text: string): number {
  return text.length <= NETWORK_MAX_LENGTH
    ? text.length
    : Array.from(segmenter.segment(text)).length;
}
