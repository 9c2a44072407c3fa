import {
  PICTURE_MAX_MB,
  PICTURE_TIME_LIMIT_SECONDS,
  pictureLoad,
} from '@meridian/contract/pictures';
import type { FastifyInstance } from 'fastify';
import { readResponse } from '../../http/bodies.ts';
import { AppError } from '../../http/errors.ts';
import { FetchRefused, PUBLIC_NETWORK, guardedFetch } from '../../http/guarded-fetch.ts';
import type { OutsideNetwork } from '../../http/guarded-fetch.ts';
import { register } from '../../http/register.ts';
import { pictureTypeOf } from './picture-type.ts';

/** The other headers are those of all data: not stored, not sniffed, sandboxed, of this origin only. */
export function picturesRoutes(app: FastifyInstance, pictures: PicturesService): void {
  register(
    app,
    pictureLoad,
    async ({ query, reply }) => {
      const gone = new AbortController();
      reply.raw.once('close', () => gone.abort());
      const { type, bytes } = await pictures.load(query.url, gone.signal);
      reply.type(type).header('content-disposition', 'attachment');
      return bytes;
    },
    // The fetch has its own limit, and after it a moment to say so.
    { timeoutMs: (PICTURE_TIME_LIMIT_SECONDS + 2) * 1000 },
  );
}

/** A post shows at most six pictures, and each may fill 5 MB of memory. */
const MAX_AT_ONCE = 6;

export type PicturesOptions = {
  network?: OutsideNetwork;
  startTimeLimit?: () => AbortSignal;
};
type PicturesService = ReturnType<typeof createPicturesService>;

export function createPicturesService(options: PicturesOptions = {}) {
  const {
    network = PUBLIC_NETWORK,
    startTimeLimit = () => AbortSignal.timeout(PICTURE_TIME_LIMIT_SECONDS * 1000),
  } = options;
  let underWay = 0;

  async function fetchInTime(address: string, gone: AbortSignal): Promise<Buffer<ArrayBuffer>> {
    const timeLimit = startTimeLimit();
    try {
      return await fetchPicture(address, network, AbortSignal.any([timeLimit, gone]));
    } catch (error) {
      throw timeLimit.aborted ? new AppError('picture_too_slow') : error;
    }
  }

  return {
    async load(address: string, gone: AbortSignal) {
      if (underWay >= MAX_AT_ONCE) {
        throw new AppError('pictures_busy', { retryAfterSeconds: 2 });
      }
      underWay += 1;
      try {
        const bytes = await fetchInTime(address, gone);
        const type = pictureTypeOf(bytes);
        if (type === null) throw new AppError('picture_type_refused');
        return { type, bytes };
      } finally {
        underWay -= 1;
      }
    },
  };
}

const MAX_BYTES = PICTURE_MAX_MB * 1024 * 1024;
const ACCEPT = 'image/avif, image/webp, image/png, image/jpeg, image/gif';

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
