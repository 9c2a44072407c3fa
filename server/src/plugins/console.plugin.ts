import type { IncomingMessage } from 'node:http';
import type { PageConfig } from '@meridian/contract/page-config';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { AppError } from '../http/app-error.ts';
import { readPage, sendPage, serveFiles } from './page-files.ts';

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
