import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { accessKeywordsRoutes } from './access-keywords/access-keywords.routes.ts';
import { accountsRoutes } from './accounts/accounts.routes.ts';
import { auditRoutes } from './audit/audit.routes.ts';
import { apiTokensRoutes } from './api-tokens/api-tokens.routes.ts';
import { assignmentsRoutes } from './assignments/assignments.routes.ts';
import { bulkRoutes } from './bulk/bulk.routes.ts';
import { consequencesRoutes } from './consequences/consequences.routes.ts';
import { currenciesRoutes } from './currencies/currencies.routes.ts';
import { engineRoutes } from './engine/engine.routes.ts';
import { exportsRoutes } from './exports/exports.routes.ts';
import { findRoutes } from './find/find.routes.ts';
import { failuresRoutes } from './failures/failures.routes.ts';
import { incidentRoutes } from './incident/incident.routes.ts';
import { nowRoutes } from './now/now.routes.ts';
import { passwordsRoutes } from './passwords/passwords.routes.ts';
import { plansRoutes } from './plans/plans.routes.ts';
import { postsRoutes } from './posts/posts.routes.ts';
import { sessionsRoutes } from './sessions/sessions.routes.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { statsRoutes } from './stats/stats.routes.ts';
import { ticketsRoutes } from './tickets/tickets.routes.ts';
import { usersRoutes } from './users/users.routes.ts';
import { verdictRoutes } from './verdict/verdict.routes.ts';

/** Registers the calls of one noun. */
export type Feature = (app: FastifyInstance, context: Context) => void;

/** Every feature behind the sign-in; one line each. */
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
  nowRoutes,
  verdictRoutes,
  bulkRoutes,
  consequencesRoutes,
  accountsRoutes,
  accessKeywordsRoutes,
  apiTokensRoutes,
  incidentRoutes,
];
