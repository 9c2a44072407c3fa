import negotiator from '@fastify/accept-negotiator';
import fastifyStatic from '@fastify/static';
import {
  DEFAULT_PAGE_CONFIG,
  PAGE_CONFIG_META,
  imageSources,
} from '@meridian/contract/page-config';
import type { PageConfig } from '@meridian/contract/page-config';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Config } from '../config.ts';
import { networkUrlOf } from '../network/local/paths.ts';
import { AppError } from './errors.ts';
import { escapeHtml } from './escape-html.ts';

/** These paths are no page of the console: other routes, missing files, and hidden ones in any spelling. */
const NO_PAGE = /^\/(?:api|cdn|assets|xrpc|me)(?:\/|$)|\.\w+$|(?:[/\\]|%2[fF]|%5[cC])(?:\.|%2[eE])/;
/** The page and the compressed forms are not served by their names. */
const FILE = /^(?:\/\w[\w.-]*)+\.(?!html$|br$|gz$)\w+$/;

type BuiltPage = { directory: URL; headers: Record<string, string> };

export async function consoleRoutes(
  app: FastifyInstance,
  { directory, headers, config }: BuiltPage & { config: PageConfig },
): Promise<void> {
  const page = await readPage(new URL('index.html', directory), config);
  if (page !== null) await serveFiles(app, directory);

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: (request, reply) => {
      const [path = '/'] = request.url.split('?', 1);
      if (page !== null && FILE.test(path)) return reply.sendFile(path);
      const isPage = path === '/index.html';
      if (!isPage && (NO_PAGE.test(path) || !asksForPage(request))) throw new AppError('not_found');
      return sendPage(page, 'console', request, reply.headers(headers));
    },
  });
}

/** Probes and scripts send no Accept header, or one that allows anything. */
function asksForPage({ headers: { accept } }: FastifyRequest): boolean {
  return accept === undefined || /text\/html|\*\/\*/.test(accept);
}

/** The framework would refuse a URL that cannot be decoded; taken literally, it asks for a session first. */
export function readableUrl(
  { url = '/', headers }: IncomingMessage,
  { isOwnApi }: { isOwnApi: boolean },
): string {
  const [path = '/'] = url.split('?', 1);
  try {
    decodeURI(path);
    return url;
  } catch {
    if (isOwnApi && path.startsWith('/api/admin/')) return path.replaceAll('%', '%25');
    const isPage = headers.accept?.includes('text/html') === true && !NO_PAGE.test(path);
    return isPage ? '/not-found' : url;
  }
}

const ASSET = /^\w[\w.-]*\.(?!br$|gz$)\w+$/;

export async function memberPageRoutes(
  app: FastifyInstance,
  { directory, headers }: BuiltPage,
): Promise<void> {
  const page = await readPage(new URL('index.html', directory));
  await app.register(
    async (scope) => {
      if (page !== null) await serveFiles(scope, directory);
      scope.route({
        method: ['GET', 'HEAD'],
        url: '/',
        handler: (request, reply) => sendPage(page, 'page', request, reply.headers(headers)),
      });
      scope.route<{ Params: { file: string } }>({
        method: ['GET', 'HEAD'],
        url: '/assets/:file',
        handler: ({ params: { file } }, reply) => {
          if (page === null || !ASSET.test(file)) throw new AppError('not_found');
          return reply.sendFile(`assets/${file}`);
        },
      });
    },
    { prefix: '/me' },
  );
}

const HASHED = /[/\\]assets[/\\][^/\\]+$/;

async function serveFiles(app: FastifyInstance, directory: URL): Promise<void> {
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
      // A browser never asks for such a file again.
      if (isHashed) reply.removeHeader('etag');
    },
  });
}

type Page = { plain: Buffer } & Record<string, Buffer | undefined>;

async function readPage(file: URL, config?: PageConfig): Promise<Page | null> {
  const html = await readFile(file, 'utf8').catch(() => null);
  if (html === null) return null;
  const plain = Buffer.from(config === undefined ? html : configuredPage(html, config));
  return { plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) };
}

function sendPage(
  page: Page | null,
  name: string,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (page === null) {
    const text = `The ${name} has not been built yet. Stop this server and run: npm start\n`;
    return reply.code(503).type('text/plain; charset=utf-8').send(text);
  }
  const encoding = negotiator.negotiate(request.headers['accept-encoding'] ?? '', ['br', 'gzip']);
  const bytes = page[encoding ?? 'plain'] ?? page.plain;
  reply.type('text/html; charset=utf-8').header('vary', 'Accept-Encoding');
  if (encoding !== null) reply.header('content-encoding', encoding);
  // The length is set here, as that of a HEAD response cannot be derived from its body.
  reply.header('content-length', String(bytes.length));
  return reply.send(request.method === 'HEAD' ? undefined : bytes);
}

const EMPTY = new RegExp(`(<meta name="${PAGE_CONFIG_META}" content=")(?=")`);

export function configuredPage(html: string, config: PageConfig): string {
  const content = escapeHtml(JSON.stringify(config));
  return html.replace(EMPTY, (start) => start + content);
}

export function pageConfigOf(config: Config): PageConfig {
  const { cdnBaseUrl, imageHosts, consoleApi, upstreamApi } = config;
  const isOwnApi = consoleApi === null && upstreamApi === null;
  return {
    cdnBaseUrl: cdnBaseUrl?.href.replace(/\/?$/, '/') ?? DEFAULT_PAGE_CONFIG.cdnBaseUrl,
    imageSources: imageSources(cdnBaseUrl?.origin ?? null, imageHosts),
    // Sessions of another origin's API are unknown here.
    canLoadPictures: consoleApi === null,
    networkUrl: networkUrlOf(config),
    passwordMinLength: (isOwnApi ? config : DEFAULT_PAGE_CONFIG).passwordMinLength,
  };
}
