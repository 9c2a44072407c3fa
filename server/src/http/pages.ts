import negotiator from '@fastify/accept-negotiator';
import fastifyStatic from '@fastify/static';
import { DEFAULT_PAGE_CONFIG, PAGE_CONFIG_META, imageSources } from '@meridian/contract/auth';
import type { PageConfig } from '@meridian/contract/auth';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Config } from '../config.ts';
import { networkUrlOf } from '../network/local/paths.ts';
import { AppError } from './errors.ts';
import { escapeHtml } from './escape-html.ts';

export type ConsoleOptions = {
  directory: URL;
  headers: Record<string, string>;
  /** What the console has to know of this server before its first request. */
  config: PageConfig;
};

const NOT_BUILT = 'The console has not been built yet. Stop this server and run: npm start\n';
// A missing file, a call that does not exist, the people's page where it is not served, or a hidden file (a segment that begins with a dot,
// however it is written) is not a page of the console.
const NO_PAGE = /^\/(?:api|cdn|assets|xrpc|me)(?:\/|$)|\.\w+$|(?:[/\\]|%2[fF]|%5[cC])(?:\.|%2[eE])/;
/** Plain names only; the page and the compressed forms are not served by their names. */
const FILE = /^(?:\/\w[\w.-]*)+\.(?!html$|br$|gz$)\w+$/;
const UNKNOWN_PAGE = '/not-found';
const PAGE_TYPES = /text\/html|\*\/\*/;

const OWN_CALL = /^\/api\/admin\//;

/**
 * A URL that cannot be decoded leads to no route, and so to the framework's own refusal. In a call of
 * ours its percent signs are taken literally: like any other it asks for a session first. To a
 * browser it is an unknown page: the console says so in its own words.
 */
export function readableUrl(
  { url = '/', headers }: IncomingMessage,
  { isOwnApi }: { isOwnApi: boolean },
): string {
  const [path = '/'] = url.split('?', 1);
  try {
    decodeURI(path);
    return url;
  } catch {
    if (isOwnApi && OWN_CALL.test(path)) return path.replaceAll('%', '%25');
    const isPage = headers.accept?.includes('text/html') === true && !NO_PAGE.test(path);
    return isPage ? UNKNOWN_PAGE : url;
  }
}

/** The console's files, and its one page for every path that is a screen. */
export async function consoleRoutes(
  app: FastifyInstance,
  { directory, headers, config }: ConsoleOptions,
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
      reply.headers(headers);
      if (page !== null) return sendPage(page, request, reply);
      return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    },
  });
}

function asksForPage(request: FastifyRequest): boolean {
  // Probes and scripts send no Accept header, or one that allows anything.
  const { accept } = request.headers;
  return accept === undefined || PAGE_TYPES.test(accept);
}

/** Where the people who schedule posts have their page. */
const PEOPLE_PATH = '/me';

export type PeopleOptions = { directory: URL; headers: Record<string, string> };

const MEMBERS_NOT_BUILT = 'The page has not been built yet. Stop this server and run: npm start\n';
/** Plain names only; the compressed forms are not served by their names. */
const ASSET = /^\w[\w.-]*\.(?!br$|gz$)\w+$/;

/** The people's page and its files, in a scope of its own: the console's lie in another folder. */
export async function peopleRoutes(
  app: FastifyInstance,
  { directory, headers }: PeopleOptions,
): Promise<void> {
  const page = await readPage(new URL('index.html', directory));
  await app.register(
    async (scope) => {
      if (page !== null) await serveFiles(scope, directory);
      scope.route({
        method: ['GET', 'HEAD'],
        url: '/',
        handler: (request, reply) => {
          reply.headers(headers);
          if (page !== null) return sendPage(page, request, reply);
          return reply.code(503).type('text/plain; charset=utf-8').send(MEMBERS_NOT_BUILT);
        },
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
    { prefix: PEOPLE_PATH },
  );
}

const HASHED = /[/\\]assets[/\\][^/\\]+$/;
const ENCODINGS = ['br', 'gzip'];

/** The files of a built page, by `reply.sendFile`. Those with a hash in their name are cached for good. */
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
      // Its name changes with its content: a browser never asks for it again.
      if (isHashed) reply.removeHeader('etag');
    },
  });
}

/** The page by its encoding; null when it was never built. */
export type Page = { plain: Buffer } & Record<string, Buffer | undefined>;

async function readPage(file: URL, config?: PageConfig): Promise<Page | null> {
  const html = await readFile(file, 'utf8').catch(() => null);
  if (html === null) return null;
  const plain = Buffer.from(config === undefined ? html : configuredPage(html, config));
  return { plain, br: brotliCompressSync(plain), gzip: gzipSync(plain) };
}

/** In the encoding that the browser likes best. */
function sendPage(page: Page, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const encoding = negotiator.negotiate(request.headers['accept-encoding'] ?? '', ENCODINGS);
  const bytes = page[encoding ?? 'plain'] ?? page.plain;
  reply.type('text/html; charset=utf-8').header('vary', 'Accept-Encoding');
  if (encoding !== null) reply.header('content-encoding', encoding);
  // Set here because the length of a HEAD response cannot be derived from its body.
  reply.header('content-length', String(bytes.length));
  return reply.send(request.method === 'HEAD' ? undefined : bytes);
}

/** As the console's page has it; built or served by another server it stays empty. */
const EMPTY = new RegExp(`(<meta name="${PAGE_CONFIG_META}" content=")(?=")`);

/** The console's page with what it has to know of this server. */
export function configuredPage(html: string, config: PageConfig): string {
  const content = escapeHtml(JSON.stringify(config));
  return html.replace(EMPTY, (start) => start + content);
}

/** What the console has to know of this server before its first request. */
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
