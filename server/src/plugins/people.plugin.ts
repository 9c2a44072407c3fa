import type { FastifyInstance } from 'fastify';
import { AppError } from '../http/app-error.ts';
import { readPage, sendPage, serveFiles } from './page-files.ts';

/** Where the people who schedule posts have their page. */
const PEOPLE_PATH = '/me';

export type PeopleOptions = { directory: URL; headers: Record<string, string> };

const NOT_BUILT = 'The page has not been built yet. Stop this server and run: npm start\n';
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
          return reply.code(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
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
