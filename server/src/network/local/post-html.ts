import { FACET_LINK, FACET_MENTION, facetsOf } from '@meridian/contract/facets';
import type { FacetFeature } from '@meridian/contract/facets';
import { firstLanguage, isDid, propertyOf, safeLink } from '@meridian/contract/untrusted';
import { escapeHtml } from '../../http/escape-html.ts';
import { postPath, profilePath } from './paths.ts';

/** Only the `html` tag makes this markup, and it escapes everything else. */
class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}
export type { Html };

export function html(strings: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(String.raw({ raw: strings }, ...values.map(textOf)));
}

type HtmlValue = string | Html | readonly Html[] | null;

function textOf(value: HtmlValue): string {
  if (value === null) return '';
  if (value instanceof Html) return value.text;
  return typeof value === 'string' ? escapeHtml(value) : value.map(textOf).join('');
}

/** Records are untrusted: a malformed part is left out or stays plain text. */
export function textHtml(record: unknown): Html | null {
  const text = stringOf(record, 'text');
  if (text === '') return null;
  const bytes = new TextEncoder().encode(text);
  const cut = (start: number, end?: number) => Buffer.from(bytes.subarray(start, end)).toString();
  const parts: Html[] = [];
  let cursor = 0;
  for (const { start, end, feature } of facetsOf(text, propertyOf(record, 'facets')).ranges) {
    parts.push(html`${cut(cursor, start)}`, featureHtml(cut(start, end), feature));
    cursor = end;
  }
  const language = languageHtml(record);
  return html`<p class="text" dir="auto" ${language}>${[...parts, html`${cut(cursor)}`]}</p>`;
}

function languageHtml(record: unknown): Html | null {
  const lang = firstLanguage(propertyOf(record, 'langs'));
  return lang === undefined ? null : html`lang="${lang}"`;
}

function featureHtml(text: string, feature: FacetFeature): Html {
  if (feature.$type === FACET_LINK) return linkHtml(text, feature.uri);
  if (feature.$type === FACET_MENTION) {
    return html`<a href="${profilePath(feature.did)}">${text}</a>`;
  }
  return html`<span class="tag">${text}</span>`;
}

/** The true host stands beside a text that does not name it. */
function linkHtml(text: string, uri: string): Html {
  const url = safeLink(uri);
  if (url === null) return html`${text}`;
  const host = text.includes(url.host) ? null : html` <span class="host">(${url.host})</span>`;
  return html`<a href="${url.href}" ${NEW_TAB}>${text}</a>${host}`;
}

const NEW_TAB = html`target="_blank" rel="noopener noreferrer nofollow ugc"`;

export function embedHtml(did: string, post: unknown): Html[] {
  const embed = propertyOf(post, 'embed');
  const language = languageHtml(post);
  const media = propertyOf(embed, 'media');
  const record = propertyOf(embed, 'record');
  // The reference of a quote with media is one level deeper.
  const quoted = propertyOf(record, 'record') ?? record;
  return [embed, media].flatMap((part) => mediaHtml(did, part, language)).concat(quoteHtml(quoted));
}

function mediaHtml(did: string, media: unknown, language: Html | null): Html[] {
  const images = propertyOf(media, 'images');
  const pictures = (Array.isArray(images) ? images : []).flatMap((one: unknown) => {
    const source = blobPath(did, propertyOf(one, 'image'));
    if (source === null) return [];
    return [html`<img src="${source}" alt="${stringOf(one, 'alt')}" ${language} loading="lazy" />`];
  });
  return [...pictures, ...cardHtml(did, propertyOf(media, 'external'), language)];
}

function cardHtml(did: string, external: unknown, language: Html | null): Html[] {
  const url = safeLink(propertyOf(external, 'uri'));
  if (url === null) return [];
  const thumb = blobPath(did, propertyOf(external, 'thumb'));
  return [
    html`<a class="card" href="${url.href}" ${NEW_TAB}>
      ${thumb === null ? null : html`<img src="${thumb}" alt="" loading="lazy" />`}
      <span class="host">${url.host}</span>
      <strong dir="auto" ${language}>${stringOf(external, 'title') || url.host}</strong>
      <span dir="auto" ${language}>${stringOf(external, 'description')}</span>
    </a>`,
  ];
}

function quoteHtml(reference: unknown): Html[] {
  const path = pathOf(reference);
  return path === null ? [] : [html`<a class="card" href="${path}">Quoted post</a>`];
}

export function replyHtml(record: unknown): Html | null {
  const path = pathOf(propertyOf(propertyOf(record, 'reply'), 'parent'));
  return path === null ? null : html`<a class="reply" href="${path}">Reply to a post</a>`;
}

function pathOf(reference: unknown): string | null {
  const uri = stringOf(reference, 'uri');
  const [, did, rkey] = /^at:\/\/([^/]+)\/app\.bsky\.feed\.post\/([^/]+)$/.exec(uri) ?? [];
  return isDid(did) && rkey !== undefined ? postPath(did, rkey) : null;
}

function blobPath(did: string, blob: unknown): string | null {
  const cid = propertyOf(propertyOf(blob, 'ref'), '$link');
  if (typeof cid !== 'string') return null;
  return `${profilePath(did)}/blob/${encodeURIComponent(cid)}`;
}

function stringOf(value: unknown, key: string): string {
  const found = propertyOf(value, key);
  return typeof found === 'string' ? found : '';
}
