import type { FastifyInstance } from 'fastify';
import type { Context } from '../context.ts';
import { assignmentsRoutes } from './assignments/assignments.routes.ts';
import { currenciesRoutes } from './currencies/currencies.routes.ts';
import { engineRoutes } from './engine/engine.routes.ts';
import { passwordsRoutes } from './passwords/passwords.routes.ts';
import { plansRoutes } from './plans/plans.routes.ts';
import { postsRoutes } from './posts/posts.routes.ts';
import { sessionsRoutes } from './sessions/sessions.routes.ts';
import { settingsRoutes } from './settings/settings.routes.ts';
import { statsRoutes } from './stats/stats.routes.ts';
import { ticketsRoutes } from './tickets/tickets.routes.ts';
import { usersRoutes } from './users/users.routes.ts';

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
];
