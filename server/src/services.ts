import { createAccessKeywordsService } from './features/access-keywords/access-keywords.ts';
import { createAccountsService } from './features/accounts/accounts.ts';
import { initialPasswordFile } from './features/administrators/first-administrator.ts';
import { createApiTokens } from './features/api-tokens/api-tokens.ts';
import { createAssignmentsService } from './features/assignments/assignments.ts';
import { createAuditService } from './features/audit/audit.ts';
import { createBulkService } from './features/bulk/bulk.service.ts';
import { createCurrenciesService } from './features/currencies/currencies.service.ts';
import { createDeliveriesService, createEngineService } from './features/engine/engine.ts';
import { createEventHub } from './features/events/event-hub.ts';
import { createConsoleEvents } from './features/events/events.routes.ts';
import { createExportsService } from './features/exports/exports.ts';
import { createFailuresService } from './features/failures/failures.ts';
import { createFindService } from './features/find/find.ts';
import { createMeService } from './features/me/me.ts';
import { createMediaService } from './features/me/media.ts';
import { createMemberDeletion, createMemberExport } from './features/me/member-data.ts';
import { createMemberEvents } from './features/me/member-events.ts';
import { createMemberSessions } from './features/me/member-sessions.ts';
import { createMyPostsService } from './features/me/posts.service.ts';
import { createSignInService } from './features/me/sign-in.ts';
import { createRedemption } from './features/me/tickets.ts';
import { createOverviewService } from './features/overview/overview.ts';
import { createHashGate, createPasswordsService } from './features/passwords/passwords.ts';
import { createPlanPublisher } from './features/plans/plan-publisher.ts';
import { createPlansService } from './features/plans/plans.service.ts';
import { createPostsService } from './features/posts/posts.service.ts';
import { createRetryCheck, createRetryPost, findRecordOf } from './features/posts/retry.ts';
import { createScheduleChecks } from './features/schedule-check/schedule-check.ts';
import { createSessionsService } from './features/sessions/sessions.service.ts';
import { createSettingsService } from './features/settings/settings.ts';
import { createSignInLimits } from './features/sign-in-limits/sign-in-limits.ts';
import { createStatsService } from './features/stats/stats.ts';
import { createSuspensionService } from './features/suspension/suspension.ts';
import { createTicketsService } from './features/tickets/tickets.service.ts';
import { createUsersService } from './features/users/users.service.ts';
import type { Foundation } from './foundation.ts';
import { resolveAmongUsers, resolveByHost } from './network/identity.ts';
import type { ResolveFor } from './network/identity.ts';
import { createLocalConnector } from './network/local/consent.ts';
import { networkUrlOf } from './network/local/paths.ts';

function createServices({ config, db, connection, objects, live }: Foundation) {
  const initialPassword = initialPasswordFile(config.dataDir);
  const hashGate = createHashGate();
  const signInLimits = createSignInLimits(db, config.signInLimits);
  const requireRetryable = createRetryCheck(findRecordOf({ config, db, live }));
  const rules = {
    lateLimitMinutes: config.engine.lateLimitMs / 60_000,
    needsAccount: config.network === 'live',
  };
  const isNetworkOff = config.network === 'off';
  const engine = createEngineService(db, { ...rules, isNetworkOff });
  const connector =
    live?.connector ?? (config.network === 'local' ? createLocalConnector(db) : null);
  return {
    initialPassword,
    signInLimits,
    sessions: createSessionsService({
      db,
      hashGate,
      limits: signInLimits,
      session: config.session,
    }),
    passwords: createPasswordsService({
      db,
      hashGate,
      limits: signInLimits,
      onPasswordReplaced: (password) => initialPassword.deleteIf(password),
    }),
    users: createUsersService(db),
    assignments: createAssignmentsService(db),
    posts: createPostsService(db),
    tickets: createTicketsService(db),
    plans: createPlansService(db),
    planPublisher: createPlanPublisher({ db, connection, objects }),
    currencies: createCurrenciesService(db),
    stats: createStatsService(db),
    settings: createSettingsService(db),
    suspension: createSuspensionService(db, rules),
    engine,
    deliveries: createDeliveriesService(db),
    audit: createAuditService(db),
    exports: createExportsService(db),
    find: createFindService(db),
    requireRetryable,
    retryPost: createRetryPost(requireRetryable),
    failures: createFailuresService(db),
    overview: createOverviewService(db, engine),
    scheduleChecks: createScheduleChecks(db, rules),
    bulk: createBulkService(db),
    me: createMeService(db),
    memberSessions: createMemberSessions(db),
    signIn: createSignInService(db, connector),
    memberExport: createMemberExport(db),
    memberDeletion: createMemberDeletion(db, connector),
    accounts: createAccountsService(db, connector),
    accessKeywords: createAccessKeywordsService(db),
    apiTokens: createApiTokens(db, config.sessionRateLimit),
    media: createMediaService({ db, objects }),
    myPosts: createMyPostsService({
      db,
      resolve: resolverOf({ config, db }),
      requireRetryable,
      networkUrl: networkUrlOf(config),
    }),
    redemption: createRedemption(db),
  };
}

function resolverOf({ config: { network }, db }: Pick<Foundation, 'config' | 'db'>): ResolveFor {
  const isHere = network === 'local' || network === 'off';
  return isHere ? resolveAmongUsers(db) : resolveByHost(db);
}

export type Context = ReturnType<typeof createContext>;

export function createContext(foundation: Foundation) {
  const services = createServices(foundation);
  const { db, connection, log } = foundation;
  const { sessions, memberSessions } = services;
  const eventHub = createEventHub({ connection, log });
  return {
    ...foundation,
    ...services,
    eventHub,
    events: createConsoleEvents({ db, hub: eventHub, sessions }),
    memberEvents: createMemberEvents({ db, hub: eventHub, sessions: memberSessions }),
  };
}
