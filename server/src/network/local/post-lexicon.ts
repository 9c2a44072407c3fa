import { l } from '@atproto/lex-schema';

/** The lexicon of app.bsky.feed.post with all that it refers to. */

const facetId = 'app.bsky.richtext.facet';
const imagesId = 'app.bsky.embed.images';
const galleryId = 'app.bsky.embed.gallery';
const videoId = 'app.bsky.embed.video';
const externalId = 'app.bsky.embed.external';

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
  imagesId,
  'main',
  l.object({
    images: l.array(
      l.object({ image: picture, alt: l.string(), aspectRatio: l.optional(aspectRatio) }),
      { maxLength: 4 },
    ),
  }),
);
const gallery = ref(
  galleryId,
  'main',
  l.object({
    items: l.array(
      l.typedUnion(
        [ref(galleryId, 'image', l.object({ image: picture, alt: l.string(), aspectRatio }))],
        false,
      ),
      { maxLength: 20 },
    ),
  }),
);
const video = ref(
  videoId,
  'main',
  l.object({
    video: l.blob({ accept: ['video/mp4'], maxSize: 300_000_000 }),
    captions: l.optional(
      l.array(
        l.object({
          lang: l.string({ format: 'language' }),
          file: l.blob({ accept: ['text/vtt'], maxSize: 20_000 }),
        }),
        { maxLength: 20 },
      ),
    ),
    alt: l.optional(l.string()),
    aspectRatio: l.optional(aspectRatio),
    presentation: l.optional(l.string()),
  }),
);
const external = ref(
  externalId,
  'main',
  l.object({
    external: l.object({
      uri: l.string({ format: 'uri' }),
      title: l.string(),
      description: l.string(),
      thumb: l.optional(l.blob({ accept: ['image/*'], maxSize: 1_000_000 })),
      associatedRefs: l.optional(l.array(strongRef)),
    }),
  }),
);
const quote = l.object({ record: strongRef });
const media = [images, video, gallery, external] as const;

const selfLabels = ref(
  'com.atproto.label.defs',
  'selfLabels',
  l.object({ values: l.array(l.object({ val: l.string({ maxLength: 128 }) }), { maxLength: 10 }) }),
);

export const post = l.record(
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

/** A member of an open union, chosen by its `$type`. */
function ref(
  id: `${string}.${string}.${string}`,
  name: string,
  shape: ReturnType<typeof l.object>,
) {
  const member = l.typedObject(id, name, shape);
  return l.typedRef(() => member);
}
