import { ENDPOINTS } from '@meridian/contract/endpoints';
import { ME_ENDPOINTS } from '@meridian/contract/me/endpoints';
import type { FastifyInstance } from 'fastify';
import { readFile } from 'node:fs/promises';

const DOCUMENT_PATH = '/api/openapi.json';
const STYLESHEET = new URL('./page.css', import.meta.url);

/** The documentation is made when it is first asked for, as most starts never need it. */
export function docsRoutes(app: FastifyInstance, headers: Record<string, string>): void {
  let document: ReturnType<typeof makeDocument> | undefined;
  const made = () => (document ??= makeDocument());

  app.get('/api/admin/openapi.json', async (_, reply) => reply.redirect(DOCUMENT_PATH, 308));

  app.get(DOCUMENT_PATH, async (_, reply) => {
    reply.type('application/json; charset=utf-8');
    return (await made()).json;
  });

  app.get('/api/docs', async ({ protocol, headers: { host = 'localhost' } }, reply) => {
    reply.headers(headers).type('text/html; charset=utf-8');
    return (await made()).page(`${protocol}://${host}`);
  });

  app.get('/api/docs.css', async (_, reply) => {
    reply.type('text/css; charset=utf-8').header('cache-control', 'no-cache');
    return readFile(STYLESHEET, 'utf8');
  });
}

async function makeDocument() {
  const { openApiDocument } = await import('./openapi.ts');
  const { docsPage } = await import('./page.ts');
  const document = openApiDocument([...ENDPOINTS, ...ME_ENDPOINTS]);
  return { json: JSON.stringify(document), page: docsPage(document) };
}
