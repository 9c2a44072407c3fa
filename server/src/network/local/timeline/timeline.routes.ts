import { readFile } from 'node:fs/promises';
import { isDid } from '@meridian/contract/untrusted';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Db } from '../../../db/database.ts';
import { pageHeaders } from '../../../plugins/headers.plugin.ts';
import { createTableStore } from '../local-records.store.ts';
import type { Html } from './html.ts';
import { notFoundPage, postPage, profilePage, timelinePage } from './timeline-page.ts';
import { findAuthor, findPost, newestPosts, postsOf } from './timeline.store.ts';

/** Of a record key, and of a CID. */
const KEY = /^[a-zA-Z0-9_~.:-]{1,512}$/;
const FILES = { 'timeline.css': 'text/css', 'timeline.js': 'text/javascript' };

export type TimelineOptions = {
  db: Db;
  /** Origins that avatars may be loaded from. */
  imageSources: readonly string[];
};

/** The public pages of the local network: what its readers would see. */
export function timelineRoutes(app: FastifyInstance, options: TimelineOptions): void {
  const { db, imageSources } = options;
  const headers = pageHeaders({ images: imageSources });
  const send = (reply: FastifyReply, page: Html, status = 200) =>
    reply.code(status).headers(headers).type('text/html; charset=utf-8').send(page.text);

  app.get('/', async (_, reply) => send(reply, timelinePage(await newestPosts(db), options)));

  app.get<{ Params: { did: string } }>('/profile/:did', async ({ params }, reply) => {
    if (!isDid(params.did)) return send(reply, notFoundPage(), 404);
    const [author, posts] = await Promise.all([
      findAuthor(db, params.did),
      postsOf(db, params.did),
    ]);
    const known = author ?? posts[0];
    if (known === undefined) return send(reply, notFoundPage(), 404);
    return send(reply, profilePage(known, posts, options));
  });

  app.get<{ Params: { did: string; rkey: string } }>(
    '/profile/:did/post/:rkey',
    async ({ params }, reply) => {
      const { did, rkey } = params;
      const post = isDid(did) && KEY.test(rkey) ? await findPost(db, did, rkey) : null;
      if (post === null) return send(reply, notFoundPage(), 404);
      return send(reply, postPage(post, options));
    },
  );

  app.get<{ Params: { did: string; cid: string } }>(
    '/profile/:did/blob/:cid',
    async ({ params }, reply) => {
      const { did, cid } = params;
      const isNamed = isDid(did) && KEY.test(cid);
      const blob = isNamed ? await createTableStore(db).readBlob(did, cid) : null;
      if (blob === null) return send(reply, notFoundPage(), 404);
      return reply
        .type(blob.mimeType)
        .headers({
          'content-disposition': `attachment; filename="${cid}"`,
          'cache-control': 'public, max-age=31536000, immutable',
        })
        .send(Buffer.from(blob.bytes));
    },
  );

  for (const [name, type] of Object.entries(FILES)) {
    app.get(`/${name}`, async (_, reply) => {
      reply.type(`${type}; charset=utf-8`).header('cache-control', 'no-cache');
      return readFile(new URL(name, import.meta.url), 'utf8');
    });
  }
}
