import { describe, expect, test } from 'vitest';
import { lengthOf, richText } from './rich-text.ts';
import type { RichText } from './rich-text.ts';

const author = {
  site: 'harbour.example',
  showsScheme: false,
  mention: () => ({ handle: 'mika.example', did: 'did:plc:mika' }),
};

/** What each facet cuts out of the text's bytes. */
function cuts({ text, facets }: RichText): string[] {
  const bytes = Buffer.from(text);
  return facets.map(({ index }) => bytes.subarray(index.byteStart, index.byteEnd).toString());
}

describe('facets', () => {
  test('cut exactly their text, behind characters of every width', () => {
    const text = richText('é 展 👩🏽‍🚀 {@} → {link/menü} {link/menu} #Café #写真', author);
    expect(text.text).toBe('é 展 👩🏽‍🚀 @mika.example → {link/menü} harbour.example/menu #Café #写真');
    expect(cuts(text)).toEqual(['@mika.example', 'harbour.example/menu', '#Café', '#写真']);
    expect(text.facets.map(({ features }) => features)).toEqual([
      [{ $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:mika' }],
      [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://harbour.example/menu' }],
      [{ $type: 'app.bsky.richtext.facet#tag', tag: 'Café' }],
      [{ $type: 'app.bsky.richtext.facet#tag', tag: '写真' }],
    ]);
  });

  test.each(['issue #212', 'a#b', '# heading', '#_'])('%s holds no tag', (template) => {
    expect(richText(template, author)).toEqual({ text: template, facets: [] });
  });
});

test('long texts are measured in characters as people see them', () => {
  expect(lengthOf('👩🏽‍🚀'.repeat(100))).toBe(100);
  expect(lengthOf('a'.repeat(301))).toBe(301);
});
