import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

/** SVG is a document that can run scripts, so it is out. */
export const PICTURE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

export const PICTURE_MAX_MB = 5;
export const PICTURE_TIME_LIMIT_SECONDS = 10;
const URL_MAX_LENGTH = 2048;

export function isLoadablePicture(
  url: Readonly<Record<'protocol' | 'port' | 'username' | 'password', string>>,
): boolean {
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.port === '' && url.username === '' && url.password === '';
}

export const pictureLoad = endpoint({
  name: 'pictureLoad',
  method: 'GET',
  path: '/api/console/picture',
  right: null,
  summary: 'A picture from another host, fetched by the server',
  media: 'picture',
  query: z.strictObject({
    url: z
      .string({ error: 'url is required' })
      .check(
        z.minLength(1, { error: 'url is required' }),
        z.maxLength(URL_MAX_LENGTH, { error: `url must be at most ${URL_MAX_LENGTH} characters` }),
      ),
  }),
  answer: z.instanceof(Uint8Array),
});
