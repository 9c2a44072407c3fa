import { PASSWORD_ENDS_SESSIONS_FEATURE } from '@meridian/contract/auth';
import { CAUSES_FEATURE } from '@meridian/contract/causes';
import { DELIVERIES_FEATURE } from '@meridian/contract/deliveries';
import { ENGINE_FEATURE } from '@meridian/contract/engine';
import { IDEMPOTENCY_FEATURE } from '@meridian/contract/requests';
import { TICKET_PAGES_FEATURE } from '@meridian/contract/tickets';
import { USER_SEARCH_FEATURE } from '@meridian/contract/users';
import { initialPasswordFile } from './features/administrators/initial-password-file.ts';
import { createAssignmentsService } from './features/assignments/assignments.service.ts';
import { createCurrenciesService } from './features/currencies/currencies.service.ts';
import { createDeliveriesService } from './features/engine/deliveries.service.ts';
import { createEngineService } from './features/engine/engine.service.ts';
import { createHashGate } from './features/passwords/hash-gate.ts';
import { createPasswordsService } from './features/passwords/passwords.service.ts';
import { createPlanPublisher } from './features/plans/plan-publisher.ts';
import { createPlansService } from './features/plans/plans.service.ts';
import { createPostsService } from './features/posts/posts.service.ts';
import { createSessionsService } from './features/sessions/sessions.service.ts';
import { createSettingsService } from './features/settings/settings.service.ts';
import { createSignInLimits } from './features/sign-in-limits/sign-in-limits.ts';
import { createStatsService } from './features/stats/stats.service.ts';
import { createTicketsService } from './features/tickets/tickets.service.ts';
import { createUsersService } from './features/users/users.service.ts';
import type { Foundation } from './foundation.ts';

/** The services of the administrators' API, one per noun. */
export type Services = ReturnType<typeof createServices>;

export function createServices({ config, db, connection, objects }: Foundation) {
  const initialPassword = initialPasswordFile(config.dataDir);
  const hashGate = createHashGate();
  const signInLimits = createSignInLimits(db, config.signInLimits);
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
    engine: createEngineService(db, {
      lateLimitMinutes: config.engine.lateLimitMs / 60_000,
      isNetworkOff: config.network === 'off',
    }),
    deliveries: createDeliveriesService(db),
    /** What this server offers beyond the specified calls, as `auth/me` announces it. */
    announcedFeatures: [
      CAUSES_FEATURE,
      DELIVERIES_FEATURE,
      ENGINE_FEATURE,
      IDEMPOTENCY_FEATURE,
      PASSWORD_ENDS_SESSIONS_FEATURE,
      TICKET_PAGES_FEATURE,
      USER_SEARCH_FEATURE,
    ],
  };
}
