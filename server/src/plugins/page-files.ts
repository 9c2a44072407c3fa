import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import negotiator from '@fastify/accept-negotiator';
import fastifyStatic from '@fastify/static';
import type { PageConfig } from '@meridian/contract/page-config';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { configuredPage } from './page-config.ts';

const HASHED = /[/\\]assets[/\\][^/\\]+$/;
const ENCODINGS = ['br', 'gzip'];

/** The files of a built page, by `reply.sendFile`. Those with a hash in their name are cached for good. */
export async function serveFiles(app: FastifyInstance, directory: URL): Promise<void> {
  await app.register(fastifyStatic, {
    root: fileURLToPath(directory),
    serve: false,
    preCompressed: true,
    cacheControl: false,
    acceptRanges: false,
    lastModified: false,
    index: false,
    setHeaders(reply, path) {
      const isHashed = HASHED.test(path);
      const lifetime = isHashed ? 'public, max-age=31536000, immutable' : 'no-cache';
      reply.header('cache-control', lifetime);
      // Its name changes with its content: a browser never asks for it again.
      if (isHashed) reply.removeHeader('etag');
    },
  });
}

/** The page by its encoding; null when it was never built. */
export type Page = { plain: Buffer } & Record<string, Buffer | undefined>;

export async function readPage(file: URL, config?: PageConfig): Promise<Page | null> {
  const html = await readFile(file, 'utf8').catch(() => null);
  if (html === null) return null;
  const plain = Buffer.from(config === undefined ? html : configuredPage(html, config));
  return { plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) };
}

/** In the encoding that the browser likes best. */
export function sendPage(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = negotiator.negotiate(request.headers['accept-encoding'] ?? '', ENCODINGS);
  const bytes = page[encoding ?? 'plain'] ?? page.plain;
  reply.type('text/html; charset=utf-8').header('vary', 'Accept-Encoding');
  if (encoding !== null) reply.header('content-encoding', encoding);
  // Set here because the length of a HEAD response cannot be derived from its body.
  reply.header('content-length', String(bytes.length));
  return reply.send(request.method === 'HEAD' ? undefined : bytes);
}
