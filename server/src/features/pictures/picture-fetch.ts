import { PICTURE_MAX_MB } from '@meridian/contract/pictures';
import { AppError } from '../../http/app-error.ts';
import { FetchRefused, guardedFetch } from '../../http/guarded-fetch.ts';
import type { OutsideNetwork } from '../../http/guarded-fetch.ts';
import { readResponse } from '../../http/read-response.ts';

const MAX_BYTES = PICTURE_MAX_MB * 1024 * 1024;
const ACCEPT = 'image/avif, image/webp, image/png, image/jpeg, image/gif';

/** The bytes at an address. Throws an AppError for everything else, also when `signal` is aborted. */
export async function fetchPicture(
  address: string,
  network: OutsideNetwork,
  signal: AbortSignal,
  maxBytes = MAX_BYTES,
): Promise<Buffer<ArrayBuffer>> {
  const options = { network, signal, accept: ACCEPT, allowsHttp: true, maxBytes };
  try {
    return await guardedFetch(address, options, ({ body }) => readResponse(body, maxBytes));
  } catch (error) {
    if (!(error instanceof FetchRefused)) throw error;
    throw new AppError(`picture_${error.reason}`);
  }
}
