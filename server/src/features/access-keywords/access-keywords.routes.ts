import {
  accessKeywordCreate,
  accessKeywordList,
  accessKeywordRevoke,
} from '@meridian/contract/access-keywords';
import type { FastifyInstance } from 'fastify';
import type { Context } from '../../context.ts';
import { register } from '../../http/register.ts';

export function accessKeywordsRoutes(app: FastifyInstance, { accessKeywords }: Context): void {
  register(app, accessKeywordList, async () => ({ accessKeywords: await accessKeywords.list() }));

  register(app, accessKeywordCreate, async ({ actor, body, key }) => ({
    accessKeyword: await accessKeywords.create(actor, body, key),
  }));

  register(app, accessKeywordRevoke, async ({ actor, params }) => ({
    accessKeyword: await accessKeywords.revoke(actor, params.id),
  }));
}
