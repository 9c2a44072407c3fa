import { directOrFile, readVariables } from './config/parsers.ts';
import { VARIABLES } from './config/variables.ts';
import type { LogLevel } from './config/variables.ts';
import { StartError } from './start-error.ts';

export type Config = ReturnType<typeof readConfig>;
export type EngineOptions = ReturnType<typeof engineOptions>;
type Values = ReturnType<typeof readVariables<typeof VARIABLES>>;

export function readConfig(env: NodeJS.ProcessEnv, terminal = { isTTY: false }) {
  const v = readVariables(VARIABLES, env);
  const databaseUrl = directOrFile('DATABASE_URL', v);
  const demoData = demoDataOf(v, databaseUrl);
  // In a terminal, log lines of requests would scroll the address and the password file out of sight.
  const defaultLevel: LogLevel = terminal.isTTY ? 'warn' : 'info';
  return Object.freeze({
    host: v.HOST,
    port: v.PORT,
    dataDir: v.DATA_DIR,
    database: { url: databaseUrl, poolSize: v.DATABASE_POOL_SIZE },
    firstAdmin: { username: v.ADMIN_USERNAME, password: v.ADMIN_PASSWORD },
    demoData,
    network: v.NETWORK ?? (demoData ? ('local' as const) : ('off' as const)),
    publicUrl: v.PUBLIC_URL,
    engineKeys: directOrFile('ENGINE_KEY', v),
    isEngineOn: v.ENGINE,
    engine: engineOptions(v),
    cdnBaseUrl: v.CDN_BASE_URL,
    imageHosts: v.IMAGE_HOSTS,
    objectStore: {
      url: v.OBJECT_STORE_URL,
      endpoint: v.OBJECT_STORE_ENDPOINT?.href ?? null,
      region: v.AWS_REGION,
      accessKeyId: v.AWS_ACCESS_KEY_ID,
      secretAccessKey: v.AWS_SECRET_ACCESS_KEY,
      sessionToken: v.AWS_SESSION_TOKEN,
      allowPrivateNetwork: v.OBJECT_STORE_ALLOW_PRIVATE,
      dataDir: v.DATA_DIR,
      cdnBaseUrl: v.CDN_BASE_URL?.href ?? '/cdn/',
    },
    upstreamApi: v.UPSTREAM_API,
    consoleApi: v.VITE_API_BASE_URL,
    corsOrigins: v.CORS_ORIGINS,
    allowedHosts: v.ALLOWED_HOSTS,
    trustProxy: v.TRUST_PROXY,
    hstsIncludeSubDomains: v.HSTS_INCLUDE_SUBDOMAINS,
    metricsToken: v.METRICS_TOKEN,
    logLevel: v.LOG_LEVEL ?? defaultLevel,
    passwordMinLength: v.PASSWORD_MIN_LENGTH,
    session: { idleSeconds: v.SESSION_IDLE_MINUTES * 60, maxSeconds: v.SESSION_MAX_HOURS * 3600 },
    sessionRateLimit: v.SESSION_RATE_LIMIT,
    signInLimits: {
      failures: v.LOGIN_FAILURES,
      attemptsPerNetwork: v.LOGIN_ATTEMPTS_PER_NETWORK,
      failuresPerName: v.LOGIN_FAILURES_PER_NAME,
      failuresInARow: v.LOGIN_FAILURES_IN_A_ROW,
      passwordChanges: v.PASSWORD_CHANGES,
    },
  });
}

function engineOptions(v: Values) {
  return {
    lookaheadMs: 1_500,
    concurrency: v.ENGINE_CONCURRENCY,
    hostConcurrency: v.ENGINE_HOST_CONCURRENCY,
    hostPerSecond: v.ENGINE_HOST_PER_SECOND,
    egress: v.ENGINE_EGRESS,
    leaseMs: v.ENGINE_LEASE_SECONDS * 1_000,
    lateLimitMs: v.ENGINE_LATE_LIMIT_MINUTES * 60_000,
    retryWindowMs: v.ENGINE_RETRY_MINUTES * 60_000,
  };
}

/** Demonstration data never enters the operator's own database, nor goes out to the network. */
function demoDataOf(v: Values, databaseUrl: string | null): boolean {
  if (databaseUrl !== null && v.DEMO_DATA === true) {
    throw new StartError('DEMO_DATA can be on only without DATABASE_URL.');
  }
  if (v.NETWORK === 'live' && v.DEMO_DATA === true) {
    throw new StartError('DEMO_DATA can be on only without NETWORK=live.');
  }
  return databaseUrl === null && v.NETWORK !== 'live' && v.DEMO_DATA !== false;
}
