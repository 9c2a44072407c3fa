import { jsonToLex } from '@atproto/lex-json';
import { l } from '@atproto/lex-schema';
import { invalidRequest } from './xrpc-error.ts';

// The validator is that of the reference PDS, so its messages are the network's own.

const facetId = 'app.bsky.richtext.facet';

const strongRef = l.typedObject(
  'com.atproto.repo.strongRef',
  'main',
  l.object({ uri: l.string({ format: 'at-uri' }), cid: l.string({ format: 'cid' }) }),
);

const byteOffset = l.integer({ minimum: 0 });
const hashtag = l.string({ maxLength: 640, maxGraphemes: 64 });
const facet = l.object({
  index: l.object({ byteStart: byteOffset, byteEnd: byteOffset }),
  features: l.array(
    l.typedUnion(
      [
        ref(facetId, 'mention', l.object({ did: l.string({ format: 'did' }) })),
        ref(facetId, 'link', l.object({ uri: l.string({ format: 'uri' }) })),
        ref(facetId, 'tag', l.object({ tag: hashtag })),
      ],
      false,
    ),
  ),
});

const aspectRatio = l.object({
  width: l.integer({ minimum: 1 }),
  height: l.integer({ minimum: 1 }),
});
const picture = l.blob({ accept: ['image/*'], maxSize: 2_000_000 });

const images = ref(
  'app.bsky.embed.images',
  'main',
  l.object({
    images: l.array(
      l.object({ image: picture, alt: l.string(), aspectRatio: l.optional(aspectRatio) }),
      { maxLength: 4 },
    ),
  }),
);
const external = ref(
  'app.bsky.embed.external',
  'main',
  l.object({
    external: l.object({
      uri: l.string({ format: 'uri' }),
      title: l.string(),
      description: l.string(),
      thumb: l.optional(l.blob({ accept: ['image/*'], maxSize: 1_000_000 })),
    }),
  }),
);
const quote = l.object({ record: strongRef });
const media = [images, external] as const;

const selfLabels = ref(
  'com.atproto.label.defs',
  'selfLabels',
  l.object({ values: l.array(l.object({ val: l.string({ maxLength: 128 }) }), { maxLength: 10 }) }),
);

const post = l.record(
  'tid',
  'app.bsky.feed.post',
  l.object({
    text: l.string({ maxLength: 3_000, maxGraphemes: 300 }),
    facets: l.optional(l.array(facet)),
    reply: l.optional(l.object({ root: strongRef, parent: strongRef })),
    embed: l.optional(
      l.typedUnion(
        [
          ...media,
          ref('app.bsky.embed.record', 'main', quote),
          ref(
            'app.bsky.embed.recordWithMedia',
            'main',
            l.object({ record: quote, media: l.typedUnion([...media], false) }),
          ),
        ],
        false,
      ),
    ),
    langs: l.optional(l.array(l.string({ format: 'language' }), { maxLength: 3 })),
    labels: l.optional(l.typedUnion([selfLabels], false)),
    tags: l.optional(l.array(hashtag, { maxLength: 8 })),
    createdAt: l.string({ format: 'datetime' }),
  }),
);

function ref(
  id: `${string}.${string}.${string}`,
  name: string,
  shape: ReturnType<typeof l.object>,
) {
  const member = l.typedObject(id, name, shape);
  return l.typedRef(() => member);
}

export function checkPost(record: unknown, key: string, path: (string | number)[]): void {
  const checkedKey = post.keySchema.safeValidate(key);
  if (!checkedKey.success) {
    throw invalidRequest(`Invalid record key for ${post.$type}: ${checkedKey.reason.message}`);
  }
  const checked = post.safeValidate(readable(record), { path });
  if (!checked.success) {
    throw invalidRequest(`Invalid ${post.$type} record: ${checked.reason.message}`);
  }
}

/** A key such as `__proto__`, or too many levels, cannot be read. */
function readable(record: unknown) {
  try {
    return lex(record);
  } catch (error) {
    throw invalidRequest(`Invalid ${post.$type} record: ${String(error)}`);
  }
}

export function lex(json: unknown) {
  // The value came from JSON.parse, or is about to go through JSON.stringify.
  return jsonToLex(json as Parameters<typeof jsonToLex>[0]);
}
