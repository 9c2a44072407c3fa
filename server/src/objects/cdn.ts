import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { AppError } from '../http/errors.ts';
import { cacheControlOf, isForAnyOrigin, isObjectKey } from './objects.ts';
import type { ObjectStore } from './objects.ts';

const CDN_PATH = '/cdn/';

export async function cdnPlugin(
  app: FastifyInstance,
  { store }: { store: ObjectStore },
): Promise<void> {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${CDN_PATH}*`,
    handler: async (request, reply) => {
      const key = keyOf(request);
      const object = key === null || store.kind !== 'local' ? null : await store.get(key);
      if (key === null || object === null) throw new AppError('not_found');
      const etag = `"${createHash('sha256').update(object.bytes).digest('base64url')}"`;
      setHeaders(reply, key, etag);
      if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
      return reply.type(object.contentType).send(Buffer.from(object.bytes));
    },
  });
}

/** The address is read as sent: the router's own decoding would let an encoded slash split a part. */
function keyOf(request: FastifyRequest): string | null {
  const address = request.raw.url ?? '';
  if (!address.startsWith(CDN_PATH)) return null;
  const [path = ''] = address.slice(CDN_PATH.length).split(/[?#]/, 1);
  const parts = path.split('/').map(decodePart);
  if (parts.some((part) => part === null || part.includes('/'))) return null;
  const key = parts.join('/');
  return isObjectKey(key) ? key : null;
}

function decodePart(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function setHeaders(reply: FastifyReply, key: string, etag: string): void {
  reply.headers({
    etag,
    'cache-control': cacheControlOf(key),
    'x-content-type-options': 'nosniff',
    // No stored file runs anything, not even an SVG opened by itself.
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
  });
  if (isForAnyOrigin(key)) reply.header('access-control-allow-origin', '*');
}

function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return ifNoneMatch.split(',').some((candidate) => candidate.trim().replace(/^W\//, '') === etag);
}
