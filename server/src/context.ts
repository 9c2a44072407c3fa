import { PASSWORD_ENDS_SESSIONS_FEATURE } from '@meridian/contract/auth';
import { IDEMPOTENCY_FEATURE } from '@meridian/contract/requests';
import { TICKET_PAGES_FEATURE } from '@meridian/contract/tickets';
import { USER_SEARCH_FEATURE } from '@meridian/contract/users';
import type pg from 'pg';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { openDatabase } from './db/database.ts';
import type { Database } from './db/database.ts';
import { sql } from './db/sql.ts';
import { createWriteCheck } from './db/write-check.ts';
import { createAssignmentsService } from './features/assignments/assignments.service.ts';
import type { AssignmentsService } from './features/assignments/assignments.service.ts';
import { initialPasswordFile } from './features/administrators/initial-password-file.ts';
import type { InitialPasswordFile } from './features/administrators/initial-password-file.ts';
import { createHashGate } from './features/passwords/hash-gate.ts';
import { createPasswordsService } from './features/passwords/passwords.service.ts';
import type { PasswordsService } from './features/passwords/passwords.service.ts';
import { createSessionsService } from './features/sessions/sessions.service.ts';
import type { SessionsService } from './features/sessions/sessions.service.ts';
import { createSignInLimits } from './features/sign-in-limits/sign-in-limits.ts';
import type { SignInLimits } from './features/sign-in-limits/sign-in-limits.ts';
import { createCurrenciesService } from './features/currencies/currencies.service.ts';
import type { CurrenciesService } from './features/currencies/currencies.service.ts';
import { createPlanPublisher } from './features/plans/plan-publisher.ts';
import type { PlanPublisher } from './features/plans/plan-publisher.ts';
import { createPlansService } from './features/plans/plans.service.ts';
import type { PlansService } from './features/plans/plans.service.ts';
import { createPostsService } from './features/posts/posts.service.ts';
import type { PostsService } from './features/posts/posts.service.ts';
import { createSettingsService } from './features/settings/settings.service.ts';
import type { SettingsService } from './features/settings/settings.service.ts';
import { createStatsService } from './features/stats/stats.service.ts';
import type { StatsService } from './features/stats/stats.service.ts';
import { createTicketsService } from './features/tickets/tickets.service.ts';
import type { TicketsService } from './features/tickets/tickets.service.ts';
import { createUsersService } from './features/users/users.service.ts';
import type { UsersService } from './features/users/users.service.ts';
import type { ObjectStore } from './objects/object-store.ts';
import type { NotReadyReason } from './plugins/health.plugin.ts';

/** What routes build on. One per process; a test makes its own. */
export type Context = {
  config: Config;
  log: Logger;
  db: Database;
  objects: ObjectStore;
  signInLimits: SignInLimits;
  sessions: SessionsService;
  passwords: PasswordsService;
  users: UsersService;
  assignments: AssignmentsService;
  posts: PostsService;
  tickets: TicketsService;
  plans: PlansService;
  planPublisher: PlanPublisher;
  currencies: CurrenciesService;
  stats: StatsService;
  settings: SettingsService;
  initialPassword: InitialPasswordFile;
  /** What this server offers beyond the specified calls, as `auth/me` announces it. */
  announcedFeatures: readonly string[];
  /** Null when the database answers, has the schema this code was made for and takes changes. */
  notReadyReason(): Promise<NotReadyReason | null>;
  close(): Promise<void>;
};

export type ContextOptions = {
  config: Config;
  log: Logger;
  connection: pg.ClientConfig;
  objects: ObjectStore;
  schemaVersion: number;
};

export function createContext(options: ContextOptions): Context {
  const { config, log, connection, objects, schemaVersion } = options;
  const writeCheck = createWriteCheck(
    openDatabase(connection, {
      maxConnections: config.database.poolSize,
      onError: (error) => log.warn({ err: error }, 'A database connection broke'),
    }),
  );
  const db = writeCheck.watched;
  const initialPassword = initialPasswordFile(config.dataDir);
  const hashGate = createHashGate();
  const signInLimits = createSignInLimits(db, config.signInLimits);
  return {
    config,
    log,
    db,
    objects,
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
    initialPassword,
    announcedFeatures: [
      IDEMPOTENCY_FEATURE,
      PASSWORD_ENDS_SESSIONS_FEATURE,
      TICKET_PAGES_FEATURE,
      USER_SEARCH_FEATURE,
    ],
    async notReadyReason() {
      const row = await db.one<{ version: number | null }>(
        sql`select max(version) as version from schema_migrations`,
      );
      const isCurrent = row.version !== null && row.version >= schemaVersion;
      return isCurrent ? writeCheck.problem() : 'schema';
    },
    close: () => db.close(),
  };
}
