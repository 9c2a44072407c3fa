import type { AnswerOf } from '@meridian/contract/endpoint';
import type { Media, meLinkCard } from '@meridian/contract/me/posts';
import { NETWORK_LIMITS } from '@meridian/contract/network';
import type { Dispatcher } from 'undici';
import { AppError } from '../../http/app-error.ts';
import { createConcurrencyLimit, createLimitPerPerson } from '../../http/concurrency-limit.ts';
import { FetchRefused, guardedFetch, PUBLIC_NETWORK } from '../../http/guarded-fetch.ts';
import type { OutsideNetwork } from '../../http/guarded-fetch.ts';
import { readResponse } from '../../http/read-response.ts';
import { fetchPicture } from '../pictures/pictures.service.ts';
import type { MediaService } from './media.service.ts';
import { readPageHead } from './page-head.ts';

type Card = AnswerOf<typeof meLinkCard>['card'];
type Page = { bytes: Buffer; contentType: string; url: URL };

export const LINK_CARD_TIMEOUT_MS = 8_000;
/** The head of a page comes first; what follows is not read. */
const PAGE_MAX_BYTES = 512 * 1024;
const PAGES_AT_ONCE = { atOnce: 6, queue: 20, waitMs: 3_000 };
/** A long thread may have a link in each of its posts. */
const PAGES_PER_PERSON = { atOnce: 3, queue: 24, waitMs: 3_000 };

type LinkCardOptions = { media: MediaService; network?: OutsideNetwork; timeoutMs?: number };

export function createLinkCards(options: LinkCardOptions) {
  const { media, network = PUBLIC_NETWORK, timeoutMs = LINK_CARD_TIMEOUT_MS } = options;
  const limit = createConcurrencyLimit(PAGES_AT_ONCE);
  const runForPerson = createLimitPerPerson(PAGES_PER_PERSON);

  return {
    /** `gone` is aborted when the client stops waiting. */
    read: (userId: string, address: string, gone: AbortSignal): Promise<Card> =>
      runForPerson(userId, () => limit.run(() => readCard(userId, address, gone))),
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
      // No length is refused here.
      const reason = error.reason === 'too_large' ? 'not_sent' : error.reason;
      throw new AppError(`link_${reason}`);
    }
  }

  /** A card without a picture is better than none: whatever is wrong with the picture. */
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

/** Null for anything but HTML. */
async function readPage(
  { headers, body }: Dispatcher.ResponseData,
  url: URL,
): Promise<Page | null> {
  const contentType = String(headers['content-type'] ?? '');
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/iu.test(contentType)) return null;
  return { bytes: await readResponse(body, PAGE_MAX_BYTES), contentType, url };
}
