import type { FastifyInstance } from 'fastify';
import type { Context } from '../services.ts';
import { accessKeywordsRoutes } from './access-keywords/access-keywords.ts';
import { accountsRoutes } from './accounts/accounts.ts';
import { auditRoutes } from './audit/audit.ts';
import { apiTokensRoutes } from './api-tokens/api-tokens.ts';
import { assignmentsRoutes } from './assignments/assignments.ts';
import { bulkRoutes } from './bulk/bulk.routes.ts';
import { consequencesRoutes } from './nouns.ts';
import { currenciesRoutes } from './currencies/currencies.routes.ts';
import { engineRoutes } from './engine/engine.ts';
import { exportsRoutes } from './exports/exports.ts';
import { findRoutes } from './find/find.ts';
import { failuresRoutes } from './failures/failures.ts';
import { suspensionRoutes } from './suspension/suspension.ts';
import { overviewRoutes } from './overview/overview.ts';
import { passwordsRoutes } from './passwords/passwords.ts';
import { plansRoutes } from './plans/plans.routes.ts';
import { postsRoutes } from './posts/posts.routes.ts';
import { sessionsRoutes } from './sessions/sessions.routes.ts';
import { settingsRoutes } from './settings/settings.ts';
import { statsRoutes } from './stats/stats.ts';
import { ticketsRoutes } from './tickets/tickets.routes.ts';
import { usersRoutes } from './users/users.routes.ts';
import { scheduleCheckRoutes } from './schedule-check/schedule-check.ts';

type Feature = (app: FastifyInstance, context: Context) => void;

export const FEATURES: readonly Feature[] = [
  sessionsRoutes,
  passwordsRoutes,
  settingsRoutes,
  statsRoutes,
  usersRoutes,
  assignmentsRoutes,
  postsRoutes,
  ticketsRoutes,
  plansRoutes,
  currenciesRoutes,
  engineRoutes,
  exportsRoutes,
  findRoutes,
  auditRoutes,
  failuresRoutes,
  overviewRoutes,
  scheduleCheckRoutes,
  bulkRoutes,
  consequencesRoutes,
  accountsRoutes,
  accessKeywordsRoutes,
  apiTokensRoutes,
  suspensionRoutes,
];
