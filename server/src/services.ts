import { createAccessKeywordsService } from './features/access-keywords/access-keywords.service.ts';
import { createApiTokens } from './features/api-tokens/api-tokens.service.ts';
import { createAccountsService } from './features/accounts/accounts.service.ts';
import { initialPasswordFile } from './features/administrators/initial-password-file.ts';
import { createAuditService } from './features/audit/audit.service.ts';
import { createAssignmentsService } from './features/assignments/assignments.service.ts';
import { createBulkService } from './features/bulk/bulk.service.ts';
import { createCurrenciesService } from './features/currencies/currencies.service.ts';
import { createDeliveriesService } from './features/engine/deliveries.service.ts';
import { createEngineService } from './features/engine/engine.service.ts';
import { createExportsService } from './features/exports/exports.service.ts';
import { createFindService } from './features/find/find.service.ts';
import { createFailuresService } from './features/failures/failures.service.ts';
import { createIncidentService } from './features/incident/incident.service.ts';
import { createMediaService } from './features/me/media.service.ts';
import { createMyPostsService } from './features/me/posts.service.ts';
import { createRedemption } from './features/me/tickets.service.ts';
import { createHashGate } from './features/passwords/password-hash.ts';
import { createMemberDeletion } from './features/me/delete.service.ts';
import { createMemberExport } from './features/me/export.service.ts';
import { createMeService } from './features/me/me.service.ts';
import { createMemberSessions } from './features/me/member-sessions.service.ts';
import { createSignInService } from './features/me/sign-in.service.ts';
import { createNowService } from './features/now/now.service.ts';
import { createPasswordsService } from './features/passwords/passwords.service.ts';
import { createPlanPublisher } from './features/plans/plan-publisher.ts';
import { createPlansService } from './features/plans/plans.service.ts';
import { createPostsService } from './features/posts/posts.service.ts';
import { createRetryCheck, createRetryPost, findRecordOf } from './features/posts/retry.ts';
import { createSessionsService } from './features/sessions/sessions.service.ts';
import { createSettingsService } from './features/settings/settings.service.ts';
import { createSignInLimits } from './features/sign-in-limits/sign-in-limits.ts';
import { createStatsService } from './features/stats/stats.service.ts';
import { createTicketsService } from './features/tickets/tickets.service.ts';
import { createUsersService } from './features/users/users.service.ts';
import { createVerdictService } from './features/verdict/verdict.service.ts';
import type { Foundation } from './foundation.ts';
import { createLocalConnector } from './network/local/consent/local-connector.ts';
import { networkUrlOf } from './network/network-url.ts';
import { resolveAmongUsers, resolveByHost } from './network/resolve-handle.ts';
import type { ResolveFor } from './network/resolve-handle.ts';

/** The services of the administrators' API, one per noun. */
export function createServices({ config, db, connection, objects, live }: Foundation) {
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
    incident: createIncidentService(db, rules),
    engine,
    deliveries: createDeliveriesService(db),
    audit: createAuditService(db),
    exports: createExportsService(db),
    find: createFindService(db),
    requireRetryable,
    retryPost: createRetryPost(requireRetryable),
    failures: createFailuresService(db),
    now: createNowService(db, engine),
    verdicts: createVerdictService(db, rules),
    bulk: createBulkService(db),
    me: createMeService(db),
    memberSessions: createMemberSessions(db),
    signIn: createSignInService(db, connector),
    memberExport: createMemberExport(db),
    memberDeletion: createMemberDeletion(db, connector),
    accounts: createAccountsService(db, connector),
    accessKeywords: createAccessKeywordsService(db),
    apiTokens: createApiTokens(db),
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
