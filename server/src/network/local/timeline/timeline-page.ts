import { postUri } from '../../network.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { LOCAL_NETWORK_PATH, postPath, profilePath } from './paths.ts';
import { embedHtml, replyHtml, textHtml } from './post-html.ts';
import type { Author, TimelinePost } from './timeline.store.ts';

/** Where avatars may be loaded from, besides this server. */
export type PageOptions = { imageSources: readonly string[] };

export function timelinePage(posts: readonly TimelinePost[], options: PageOptions): Html {
  const lead = 'What has been published, newest first. New posts appear by themselves.';
  return listPage({ title: 'Timeline', lead }, posts, options);
}

export function profilePage(
  author: Author,
  posts: readonly TimelinePost[],
  options: PageOptions,
): Html {
  const lead = [handleOf(author), author.did].join(' · ');
  return listPage({ title: nameOf(author), lead }, posts, options);
}

export function postPage(post: TimelinePost, options: PageOptions): Html {
  const title = `Post by ${nameOf(post)}`;
  const details = html`<dl>
    <dt>AT URI</dt>
    <dd>${postUri(post.did, post.rkey)}</dd>
    <dt>CID</dt>
    <dd>${post.cid}</dd>
  </dl>`;
  return page(title, html`${headingHtml(title)}${postHtml(post, options)}${details}`);
}

export function notFoundPage(): Html {
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

/** `isLive` pages show what is published meanwhile. */
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

/** Decoration: the name stands beside it. */
export function avatarHtml(author: Author, { imageSources }: PageOptions): Html {
  const source = avatarSource(author.avatar, imageSources);
  const image = source === null ? null : html`<img src="${source}" alt="" loading="lazy" />`;
  const [initial = '?'] = nameOf(author);
  return html`<span class="avatar" aria-hidden="true"
    ><bdi>${initial.toUpperCase()}</bdi>${image}</span
  >`;
}

/** Of this server or a host that the page's policy allows; anything else is not loaded. */
function avatarSource(avatar: string | null, imageSources: readonly string[]): string | null {
  if (avatar === null) return null;
  if (/^\/(?![/\\])/.test(avatar)) return avatar;
  const origin = URL.parse(avatar)?.origin;
  return origin !== undefined && imageSources.includes(origin) ? avatar : null;
}

export const handleOf = ({ handle, did }: Author) => (handle === null ? did : `@${handle}`);

export function nameOf({ displayName, handle, did }: Author): string {
  return displayName?.trim() || handle || did;
}
