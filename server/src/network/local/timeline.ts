import { isDid } from '@meridian/contract/untrusted';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { readFile } from 'node:fs/promises';
import type { Db } from '../../db/database.ts';
import { sql } from '../../db/sql.ts';
import { pageHeaders } from '../../http/guards.ts';
import { POST_COLLECTION, postUri } from '../network.ts';
import { createTableStore } from './local-repo.ts';
import { LOCAL_NETWORK_PATH, postPath, profilePath } from './paths.ts';
import { embedHtml, html, replyHtml, textHtml } from './post-html.ts';
import type { Html } from './post-html.ts';

const KEY = /^[a-zA-Z0-9_~.:-]{1,512}$/;
const FILES = { 'timeline.css': 'text/css', 'timeline.js': 'text/javascript' };

export type PageOptions = { imageSources: readonly string[] };
export type TimelineOptions = PageOptions & { db: Db };

export function timelineRoutes(app: FastifyInstance, options: TimelineOptions): void {
  const { db, imageSources } = options;
  const headers = pageHeaders({ images: imageSources });
  const send = (reply: FastifyReply, page: Html, status = 200) =>
    reply.code(status).headers(headers).type('text/html; charset=utf-8').send(page.text);

  app.get('/', async (_, reply) => send(reply, timelinePage(await newestPosts(db, null), options)));

  app.get<{ Params: { did: string } }>('/profile/:did', async ({ params }, reply) => {
    if (!isDid(params.did)) return send(reply, notFoundPage(), 404);
    const [profile, posts] = await Promise.all([
      findProfile(db, params.did),
      newestPosts(db, params.did),
    ]);
    const known = profile ?? posts[0];
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

function timelinePage(posts: readonly TimelinePost[], options: PageOptions): Html {
  const lead = 'What has been published, newest first. New posts appear by themselves.';
  return listPage({ title: 'Timeline', lead }, posts, options);
}

function profilePage(profile: Profile, posts: readonly TimelinePost[], options: PageOptions): Html {
  const lead = `${handleOf(profile)} · ${profile.did}`;
  return listPage({ title: nameOf(profile), lead }, posts, options);
}

function postPage(post: TimelinePost, options: PageOptions): Html {
  const title = `Post by ${nameOf(post)}`;
  const details = html`<dl>
    <dt>AT URI</dt>
    <dd>${postUri(post.did, post.rkey)}</dd>
    <dt>CID</dt>
    <dd>${post.cid}</dd>
  </dl>`;
  return page(title, html`${headingHtml(title)}${postHtml(post, options)}${details}`);
}

function notFoundPage(): Html {
  const lead = html`<p class="lead">Nothing has been published at this address.</p>`;
  return page(
    'Not found',
    html`<h1>Not found</h1>
      ${lead}`,
  );
}

const headingHtml = (title: string) => html`<h1><bdi>${title}</bdi></h1>`;

function listPage(
  { title, lead }: { title: string; lead: string },
  posts: readonly TimelinePost[],
  options: PageOptions,
): Html {
  const items = posts.map((post) => html`<li>${postHtml(post, options)}</li>`);
  const empty = 'Nothing has been published yet. A post appears here as soon as it is due.';
  return page(
    title,
    html`${headingHtml(title)}
      <p class="lead">${lead}</p>
      <p class="lead updates" hidden><span></span> <button type="button">Pause updates</button></p>
      <ol class="posts">
        ${items}
      </ol>
      <p class="empty">${empty}</p>`,
  );
}

export function page(title: string, content: Html, { isLive = true } = {}): Html {
  const script = html`<script type="module" src="${LOCAL_NETWORK_PATH}/timeline.js"></script>`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Local network</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${LOCAL_NETWORK_PATH}/timeline.css" />
        ${isLive ? script : null}
      </head>
      <body>
        <header class="bar">
          <span><strong>Local network:</strong> nothing leaves this machine</span>
          <nav aria-label="Local network">
            <a href="${LOCAL_NETWORK_PATH}/">Timeline</a>
            <a href="/">Console</a>
          </nav>
        </header>
        <main>${content}</main>
        <p role="status"></p>
      </body>
    </html>`;
}

function postHtml(post: TimelinePost, options: PageOptions): Html {
  const { did, rkey, record, indexedAt } = post;
  return html`<article data-post="${did}/${rkey}">
    <header>
      ${avatarHtml(post, options)}
      <a class="author" href="${profilePath(did)}">
        <bdi class="name">${nameOf(post)}</bdi>
        <bdi class="handle">${handleOf(post)}</bdi>
      </a>
      <a class="when" href="${postPath(did, rkey)}"
        ><time datetime="${indexedAt}">${indexedAt.slice(0, 16)}</time></a
      >
    </header>
    ${replyHtml(record)} ${textHtml(record)} ${embedHtml(did, record)}
  </article>`;
}

/** Screen readers skip it, because the name stands beside it. */
export function avatarHtml(profile: Profile, { imageSources }: PageOptions): Html {
  const source = avatarSource(profile.avatar, imageSources);
  const image = source === null ? null : html`<img src="${source}" alt="" loading="lazy" />`;
  const [initial = '?'] = nameOf(profile);
  return html`<span class="avatar" aria-hidden="true"
    ><bdi>${initial.toUpperCase()}</bdi>${image}</span
  >`;
}

/** The page's policy allows this server and the image sources. */
function avatarSource(avatar: string | null, imageSources: readonly string[]): string | null {
  if (avatar === null) return null;
  if (/^\/(?![/\\])/.test(avatar)) return avatar;
  const origin = URL.parse(avatar)?.origin;
  return origin !== undefined && imageSources.includes(origin) ? avatar : null;
}

export const handleOf = ({ handle, did }: Profile) => (handle === null ? did : `@${handle}`);

export function nameOf({ displayName, handle, did }: Profile): string {
  return displayName?.trim() || handle || did;
}

export type Profile = {
  did: string;
  handle: string | null;
  displayName: string | null;
  avatar: string | null;
};
/** The fields of the profile are null when the user has been deleted since. */
type TimelinePost = Profile & {
  rkey: string;
  cid: string;
  record: unknown;
  indexedAt: string;
};

function newestPosts(db: Db, did: string | null): Promise<TimelinePost[]> {
  const isOfAccount = did === null ? sql.empty : sql`r.did = ${did} and`;
  return db.many(sql`
    ${selectPosts} where ${isOfAccount} r.collection = ${POST_COLLECTION}
    order by r.indexed_at desc, r.rkey desc limit 50`);
}

function findPost(db: Db, did: string, rkey: string): Promise<TimelinePost | null> {
  return db.maybeOne(sql`
    ${selectPosts}
    where r.did = ${did} and r.collection = ${POST_COLLECTION} and r.rkey = ${rkey}`);
}

function findProfile(db: Db, did: string): Promise<Profile | null> {
  return db.maybeOne(sql`
    select did, handle, display_name as "displayName", avatar from users where did = ${did}`);
}

const selectPosts = sql`
  select r.did, r.rkey, r.cid, r.record, r.indexed_at as "indexedAt", u.handle,
    u.display_name as "displayName", u.avatar
  from local_records r left join users u on u.did = r.did`;
