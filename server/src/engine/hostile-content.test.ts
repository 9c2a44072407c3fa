import { NETWORK_LIMITS } from '@meridian/contract/network';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import corpus from '../../../console/src/pages/posts/content/posts-corpus.json' with { type: 'json' };
import { cidOfRecord } from '../network/identity.ts';
import { png, prepared, recordOf } from './testing/preparing.ts';

/** What becomes of each post of the corpus; its pictures with a key are in the store. */
const ENDS: Record<string, string> = {
  '01': 'ready',
  '02': 'ready',
  '04': 'ready',
  '05': 'ready',
  '08': 'media_missing',
  '09': 'ready',
  '10': 'ready',
  '11': 'media_missing',
};

const link = (byteStart: number, byteEnd: number, uri: string) => ({
  index: { byteStart, byteEnd },
  features: [{ $type: 'app.bsky.richtext.facet#link', uri }],
});

describe('the awkward posts', () => {
  const stored = {
    'uploads/2026/11/busan 3#사진.png': png(),
    'ogp-cache/3f/9a1c77d2e05b4c.webp': png(),
  };
  test.each(corpus.posts.map((post) => [post.id.slice(-2), post] as const))(
    '%s',
    async (id, post) => {
      const { content, facets, embed, languages } = post;
      const result = await prepared({ content, facets, embed, languages }, { stored });
      expect(result.kind === 'ready' ? 'ready' : result.cause).toBe(ENDS[id]);
    },
  );

  test('only well-formed facets with a safe target are published', async () => {
    const facets = [
      link(6, 11, 'https://a.example'),
      link(0, 5, 'javascript:alert(1)'),
      link(0, 5, 'https://user:word@a.example/'),
      link(8, 20, 'https://overlap.example/'),
      {
        index: { byteStart: 0, byteEnd: 5 },
        features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'x'.repeat(65) }],
      },
      null,
    ];
    expect(await recordOf({ content: 'Hello world', facets })).toMatchObject({
      facets: [
        {
          index: { byteStart: 6, byteEnd: 11 },
          features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://a.example/' }],
        },
      ],
    });
  });
});

test('any content ends in a record within the limits or in a cause', async () => {
  const anything = fc.anything({ withNullPrototype: true, withBigInt: true, maxDepth: 4 });
  const content = fc.oneof(
    { arbitrary: fc.string({ unit: 'binary' }), weight: 9 },
    { arbitrary: fc.string({ minLength: 290, maxLength: 310 }), weight: 1 },
  );
  const picture = fc.record(
    { key: anything, alt: anything, image: anything },
    { requiredKeys: [] },
  );
  const embed = fc.oneof(
    anything,
    fc.record(
      {
        $type: fc.oneof(fc.constantFrom('app.bsky.embed.images'), anything),
        images: fc.oneof(fc.array(picture, { maxLength: 6 }), anything),
        external: fc.oneof(
          anything,
          fc.record({
            uri: fc.constant('https://a.example'),
            title: anything,
            description: anything,
          }),
        ),
        record: anything,
        media: anything,
        labels: anything,
      },
      { requiredKeys: [] },
    ),
  );
  const part = { content, facets: anything, embed, languages: fc.array(fc.string()) };
  const threadPart = fc.oneof({ arbitrary: fc.record(part), weight: 9 }, anything);
  const post = fc.record({
    ...part,
    replyTo: fc.oneof({ arbitrary: fc.constant(null), weight: 9 }, fc.string()),
    thread: fc.option(fc.array(threadPart, { minLength: 1, maxLength: 3 }), { nil: null }),
  });
  const seen = { ready: 0, failed: 0, retry: 0 };
  await fc.assert(
    fc.asyncProperty(post, async (fields) => {
      const result = await prepared(fields);
      seen[result.kind] += 1;
      if (result.kind !== 'ready') return;
      for (const { record, cid } of result.writes) {
        // As it is sent: whatever JSON would drop or change is not in it.
        const sent: unknown = JSON.parse(JSON.stringify(record));
        expect(sent).toStrictEqual(record);
        expect(cidOfRecord(sent)).toBe(cid);
        expect(Buffer.byteLength(record.text)).toBeLessThanOrEqual(NETWORK_LIMITS.textBytes);
      }
    }),
    { numRuns: 1000 },
  );
  expect(seen.ready).toBeGreaterThan(100);
  expect(seen.failed).toBeGreaterThan(100);
});
