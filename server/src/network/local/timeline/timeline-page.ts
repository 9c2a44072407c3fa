import { html } from './html.ts';
import type { Html } from './html.ts';
import { LOCAL_NETWORK_PATH, postPath, profilePath } from './paths.ts';
import { embedHtml, replyHtml, textHtml } from './post-html.ts';
import { propertyOf } from '@meridian/contract/untrusted';
import type { Author, TimelinePost } from './timeline.store.ts';

/** Where avatars may be loaded from, besides this server. */
export type PageOptions = { imageSources: readonly string[] };

export function timelinePage(posts: readonly TimelinePost[], options: PageOptions): Html {
  return page(
    'Timeline',
    html`<h1>Timeline</h1>
      <p class="lead">What has been published, newest first. New posts appear by themselves.</p>
      ${listHtml(posts, options)}`,
  );
}

export function profilePage(
  author: Author,
  posts: readonly TimelinePost[],
  options: PageOptions,
): Html {
  const { did, handle } = author;
  return page(
    nameOf(author),
    html`<header class="profile">
        ${avatarHtml(author, options)}
        <h1><bdi>${nameOf(author)}</bdi></h1>
        <p class="lead">
          ${handle === null ? null : html`<bdi>@${handle}</bdi> · `}<code>${did}</code>
        </p>
      </header>
      ${listHtml(posts, options)}`,
  );
}

export function postPage(post: TimelinePost, options: PageOptions): Html {
  const { did, rkey, cid } = post;
  return page(
    `Post by ${nameOf(post)}`,
    html`<h1>Post by <bdi>${nameOf(post)}</bdi></h1>
      ${postHtml(post, options)}
      <dl>
        <dt>AT URI</dt>
        <dd><code>${`at://${did}/app.bsky.feed.post/${rkey}`}</code></dd>
        <dt>CID</dt>
        <dd><code>${cid}</code></dd>
      </dl>`,
  );
}

export function notFoundPage(): Html {
  return page(
    'Not found',
    html`<h1>Not found</h1>
      <p class="lead">Nothing has been published at this address.</p>`,
  );
}

function page(title: string, content: Html): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Local network</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${LOCAL_NETWORK_PATH}/timeline.css" />
        <script type="module" src="${LOCAL_NETWORK_PATH}/timeline.js"></script>
      </head>
      <body>
        <header class="bar">
          <p><strong>Local network:</strong> nothing leaves this machine</p>
          <nav aria-label="Local network">
            <a href="${LOCAL_NETWORK_PATH}/">Timeline</a>
            <a href="/">Console</a>
          </nav>
        </header>
        <main>${content}</main>
        <p class="visually-hidden" role="status"></p>
      </body>
    </html>`;
}

function listHtml(posts: readonly TimelinePost[], options: PageOptions): Html {
  const articles = posts.map((post) => html`<li>${postHtml(post, options)}</li>`);
  return html`<ol class="posts">
      ${articles}
    </ol>
    <p class="empty">Nothing has been published yet. A post appears here as soon as it is due.</p>`;
}

function postHtml(post: TimelinePost, options: PageOptions): Html {
  const { did, rkey, handle, record, indexedAt } = post;
  return html`<article data-post="${did}/${rkey}">
    <header>
      ${avatarHtml(post, options)}
      <a class="author" href="${profilePath(did)}">
        <bdi class="name">${nameOf(post)}</bdi>
        <bdi class="handle">${handle === null ? did : `@${handle}`}</bdi>
      </a>
      <a class="when" href="${postPath(did, rkey)}"
        ><time datetime="${indexedAt}">${utc(indexedAt)}</time></a
      >
    </header>
    ${replyHtml(record)} ${textHtml(record)} ${embedHtml(did, propertyOf(record, 'embed'))}
  </article>`;
}

/** Decoration: the name stands beside it. */
function avatarHtml(author: Author, { imageSources }: PageOptions): Html {
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

function nameOf({ displayName, handle, did }: Author): string {
  return displayName?.trim() || handle || did;
}

/** Until the script writes it in the reader's own zone. */
function utc(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`;
}
