import type { FastifyInstance } from 'fastify';
import { AppError } from '../../../http/app-error.ts';
import { CALLBACK_PATH } from '../../connector.ts';
import { pageHeaders } from '../../../plugins/headers.plugin.ts';
import type { TimelineOptions } from '../timeline/timeline.routes.ts';
import { consentPage } from './consent-page.ts';
import { findPerson, listPeople } from './consent.store.ts';
import { isHandle } from './handle.ts';

const MAX_FORM_BYTES = 4_096;

/** The page on which a person of the local network gives access, and its form. */
export function consentRoutes(app: FastifyInstance, options: TimelineOptions): void {
  const { db } = options;
  const headers = pageHeaders({ images: options.imageSources, hasForm: true });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: MAX_FORM_BYTES },
    async (_: unknown, body: string | Buffer) => new URLSearchParams(String(body)),
  );

  app.get('/consent', async ({ url }, reply) => {
    const query = new URLSearchParams(url.split('?', 2)[1]);
    const state = query.get('state') ?? '';
    const handle = query.get('handle') ?? '';
    if (state === '' || !isHandle(handle)) throw new AppError('not_found');
    const [asked, others] = await Promise.all([findPerson(db, handle), listPeople(db)]);
    const page = consentPage({ state, handle, asked, others }, options);
    return reply.headers(headers).type('text/html; charset=utf-8').send(page.text);
  });

  app.post('/consent', async ({ body }, reply) => {
    if (!(body instanceof URLSearchParams)) throw new AppError('unsupported_media_type');
    const isAllowed = body.get('decision') === 'allow';
    const outcome = isAllowed ? { handle: body.get('handle') ?? '' } : { error: 'access_denied' };
    const query = new URLSearchParams({ state: body.get('state') ?? '', ...outcome });
    return reply.redirect(`${CALLBACK_PATH}?${query.toString()}`);
  });
}
