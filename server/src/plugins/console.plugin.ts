import type { IncomingMessage } from 'node:http';
import type { PageConfig } from '@meridian/contract/page-config';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';
import { chooseEncoding } from './accept-encoding.ts';
import { readConsole } from './console-files.ts';
import type { ConsoleFile } from './console-files.ts';
import { configuredPage } from './page-config.ts';

export type ConsoleOptions = {
  directory: URL;
  headers: Record<string, string>;
  /** What the console has to know of this server before it can ask. */
  config: PageConfig;
};

const NOT_BUILT = 'The console has not been built yet. Stop this server and run: npm start\n';
// A missing file, a call that does not exist, or a hidden file (a segment that begins with a dot,
// however it is written) is not a page of the console.
const NO_PAGE = /^\/(?:api|cdn|assets)(?:\/|$)|\.\w+$|(?:[/\\]|%2[fF]|%5[cC])(?:\.|%2[eE])/;
const UNKNOWN_PAGE = '/not-found';
const PAGE_TYPES = /text\/html|\*\/\*/;

const OWN_CALL = /^\/api\/admin\//;

/**
 * An address that cannot be decoded leads to no route, and so to the framework's own refusal. In a
 * call of ours its percent signs are taken literally: like any other it asks for a session first.
 * To a browser it is an unknown page: the console says so in its own words.
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

/** The console's files, and its one page for every address that is a screen. */
export async function consoleRoutes(
  app: FastifyInstance,
  { directory, headers, config }: ConsoleOptions,
): Promise<void> {
  const files = await readConsole(directory);
  const built = files.get('/index.html');
  const page = built && configuredPage(built, config);

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    handler: (request, reply) => {
      const [path = '/'] = request.url.split('?', 1);
      const isPage = path === '/index.html';
      const file = isPage ? undefined : files.get(path);
      if (file !== undefined) return sendFile(file, request, reply);
      if (!isPage && (NO_PAGE.test(path) || !asksForPage(request))) throw new AppError('not_found');
      reply.headers(headers);
      if (page !== undefined) return sendFile(page, request, reply);
      return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
    },
  });
}

function asksForPage(request: FastifyRequest): boolean {
  // Probes and scripts say nothing, or that anything will do.
  const { accept } = request.headers;
  return accept === undefined || PAGE_TYPES.test(accept);
}

function sendFile(file: ConsoleFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const isPage = file.contentType.startsWith('text/html');
  reply.type(file.contentType);
  if (file.isHashed) reply.header('cache-control', 'public, max-age=31536000, immutable');
  else if (!isPage) reply.header('cache-control', 'no-cache').header('etag', file.etag);
  if (file.encoded.size > 0) reply.header('vary', 'Accept-Encoding');
  if (!isPage && request.headers['if-none-match'] === file.etag) return reply.code(304).send();

  const chosen = chooseEncoding(request.headers['accept-encoding'], file.encoded);
  if (chosen !== null) reply.header('content-encoding', chosen[0]);
  const bytes = chosen?.[1] ?? file.plain;
  // Said here because a HEAD has no body from which it could be known.
  reply.header('content-length', String(bytes.length));
  return reply.send(request.method === 'HEAD' ? undefined : bytes);
}
