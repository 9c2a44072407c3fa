import type { AnswerOf } from '@meridian/contract/endpoint';
import { meLinkCard } from '@meridian/contract/me/posts';
import type { Media } from '@meridian/contract/me/posts';
import { NETWORK_LIMITS } from '@meridian/contract/network';
import type { FastifyInstance } from 'fastify';
import { Parser } from 'htmlparser2';
import { setImmediate } from 'node:timers/promises';
import type { Dispatcher } from 'undici';
import { readResponse } from '../../http/bodies.ts';
import { AppError } from '../../http/errors.ts';
import { FetchRefused, PUBLIC_NETWORK, guardedFetch } from '../../http/guarded-fetch.ts';
import type { OutsideNetwork } from '../../http/guarded-fetch.ts';
import { createConcurrencyLimit, createLimitPerMember } from '../../http/limits.ts';
import { registerMember } from '../../http/register.ts';
import { fetchPicture } from '../pictures/pictures.ts';
import type { MediaService } from './media.ts';

const LINK_CARD_TIMEOUT_MS = 8_000;

export function linkCardRoutes(
  app: FastifyInstance,
  cards: ReturnType<typeof createLinkCards>,
): void {
  registerMember(
    app,
    meLinkCard,
    async ({ member, body, reply }) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      return { card: await cards.read(member.userId, body.uri, gone.signal) };
    },
    // The fetch has its own limit, and after it a moment to say so.
    { timeoutMs: LINK_CARD_TIMEOUT_MS + 5_000 },
  );
}

type Card = AnswerOf<typeof meLinkCard>['card'];
type Page = { bytes: Buffer; contentType: string; url: URL };

const PAGE_MAX_BYTES = 512 * 1024;
const PAGES_AT_ONCE = { atOnce: 6, queue: 20, waitMs: 3_000 };
const PAGES_PER_MEMBER = { atOnce: 3, queue: 24, waitMs: 3_000 };

type LinkCardOptions = { media: MediaService; network?: OutsideNetwork; timeoutMs?: number };

export function createLinkCards(options: LinkCardOptions) {
  const { media, network = PUBLIC_NETWORK, timeoutMs = LINK_CARD_TIMEOUT_MS } = options;
  const limit = createConcurrencyLimit(PAGES_AT_ONCE);
  const runForMember = createLimitPerMember(PAGES_PER_MEMBER);

  return {
    read: (userId: string, address: string, gone: AbortSignal): Promise<Card> =>
      runForMember(userId, () => limit.run(() => readCard(userId, address, gone))),
  };

  async function readCard(userId: string, address: string, gone: AbortSignal): Promise<Card> {
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = AbortSignal.any([timeout, gone]);
    const page = await fetchPage(address, signal).catch((error: unknown) => {
      throw timeout.aborted ? new AppError('link_too_slow') : error;
    });
    const { title, description, picture } = await readPageHead(page.bytes, page.contentType);
    const source = picture === null ? null : URL.parse(picture, page.url.href);
    return {
      uri: new URL(address).href,
      title: title || page.url.hostname,
      description,
      media: source === null ? null : await savePicture(userId, source.href, signal),
    };
  }

  async function fetchPage(address: string, signal: AbortSignal): Promise<Page> {
    const options = { network, signal, accept: 'text/html, application/xhtml+xml' };
    try {
      const page = await guardedFetch(address, options, readPage);
      if (page === null) throw new AppError('link_not_a_page');
      return page;
    } catch (error) {
      if (!(error instanceof FetchRefused)) throw error;
      const reason = error.reason === 'too_large' ? 'not_sent' : error.reason;
      throw new AppError(`link_${reason}`);
    }
  }

  /** A card without a picture is better than none. */
  async function savePicture(
    userId: string,
    address: string,
    signal: AbortSignal,
  ): Promise<Media | null> {
    try {
      const bytes = await fetchPicture(address, network, signal, NETWORK_LIMITS.thumbBytes);
      return await media.save(userId, bytes, null);
    } catch (error) {
      if (error instanceof AppError && error.status < 500) return null;
      throw error;
    }
  }
}

async function readPage(
  { headers, body }: Dispatcher.ResponseData,
  url: URL,
): Promise<Page | null> {
  const contentType = String(headers['content-type'] ?? '');
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/iu.test(contentType)) return null;
  return { bytes: await readResponse(body, PAGE_MAX_BYTES), contentType, url };
}

type PageHead = {
  title: string;
  description: string;
  picture: string | null;
};

const CHARSET = /charset\s*=\s*["']?([\w.:-]{1,40})/iu;
const SNIFFED_BYTES = 1024;

/** The parser compares each tag with all that are open: 500 kB of nested tags held the process for 50 s. */
const MAX_OPEN_TAGS = 32;
const MAX_PARTS = 10_000;
const MAX_TEXT = 10_000;
/** Nothing else runs while a slice is read, and EUC-JP that is none takes 5 ms. */
const SLICE_BYTES = 16 * 1024;

export async function readPageHead(bytes: Buffer, contentType: string): Promise<PageHead> {
  const ownWord = CHARSET.exec(bytes.toString('latin1', 0, SNIFFED_BYTES))?.[1];
  const decoder = decoderOf(CHARSET.exec(contentType)?.[1] ?? ownWord);
  const metas = new Map<string, string>();
  let title: string | null = null;
  let isTitle = false;
  let openTags = 0;
  let parts = 0;
  let isRead = false;
  function stop(): void {
    isRead = true;
    parser.pause();
  }
  function countPart(): void {
    parts += 1;
    if (parts > MAX_PARTS) stop();
  }
  const parser = new Parser({
    onopentag(name, { property, name: key = property, content }) {
      isTitle = name === 'title' && title === null;
      const word = (property ?? key)?.toLowerCase();
      const isShort = content !== undefined && content.length <= MAX_TEXT;
      if (name === 'meta' && word && content && isShort && !metas.has(word)) {
        metas.set(word, content);
      }
      openTags += 1;
      countPart();
      // The body may hold what visitors wrote.
      if (name === 'body' || openTags > MAX_OPEN_TAGS) stop();
    },
    onattribute: countPart,
    ontext(text) {
      countPart();
      if (isTitle && (title?.length ?? 0) < MAX_TEXT) title = (title ?? '') + text;
    },
    onclosetag(name) {
      openTags -= 1;
      if (name === 'title') isTitle = false;
      if (name === 'head') stop();
    },
  });
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (isRead) break;
    if (at > 0) await setImmediate();
    parser.write(decoder.decode(bytes.subarray(at, at + SLICE_BYTES), { stream: true }));
  }
  const first = (...names: string[]) =>
    names.map((name) => metas.get(name)).find((text) => text !== undefined) ?? '';
  return {
    title: shortened(first('og:title', 'twitter:title') || (title ?? ''), 300),
    description: shortened(first('og:description', 'twitter:description', 'description'), 1000),
    picture: first('og:image:secure_url', 'og:image', 'og:image:url', 'twitter:image') || null,
  };
}

function decoderOf(charset = 'utf-8') {
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
}

function shortened(text: string, max: number): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
  return Array.from(line).slice(0, max).join('').toWellFormed();
}
