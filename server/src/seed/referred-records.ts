import type { DemoRows } from '@meridian/demo';
import { Json } from '@meridian/demo/rows';
import { propertyOf } from '@meridian/contract/untrusted';
import { buildRecord, readEmbed } from '../engine/record.ts';
import { cidOfRecord } from '../network/identifiers.ts';
import { POST_COLLECTION } from '../network/network.ts';

/** Rows of local_records: the posts that others reply to or quote must be on the local network. */
export function referredRecords({ posts }: Pick<DemoRows, 'posts'>) {
  const referred = new Set(
    posts.flatMap(({ reply_to, embed }) => [
      reply_to,
      propertyOf(propertyOf(embed?.toJSON(), 'record'), 'uri'),
    ]),
  );
  return posts.flatMap((post) => {
    const { at_uri: uri, at_rkey: rkey, executed_at: indexedAt, facets } = post;
    if (uri === null || rkey === null || indexedAt === null || !referred.has(uri)) return [];
    const record = buildRecord(
      { ...post, facets: facets?.toJSON(), languages: [...post.languages] },
      {
        createdAt: new Date(indexedAt),
        embed: readEmbed(null),
        images: [],
        thumb: null,
        quote: null,
        reply: null,
      },
    );
    return {
      did: uri.split('/')[2] ?? '',
      collection: POST_COLLECTION,
      rkey,
      cid: cidOfRecord(record),
      record: new Json(record),
      indexed_at: indexedAt,
    };
  });
}
