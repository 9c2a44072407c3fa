/** How an engine works; `config.ts` fills it from the environment. */
export type EngineOptions = {
  /** Calls at once of this process. */
  concurrency: number;
  /** Calls at once to one host. */
  hostConcurrency: number;
  /** Calls a second to one host from this egress address; Infinity for no limit. */
  hostPerSecond: number;
  /** Workers with the same egress address share the rate of a host. */
  egress: string;
  /** How long before its time a post is claimed. */
  lookaheadMs: number;
  leaseMs: number;
  /** A post that is later than this is not published. */
  lateLimitMs: number;
  /** How long an unclear outcome is retried after the first send. */
  retryWindowMs: number;
};

/** What no environment variable sets. */
export const ENGINE_DEFAULTS = { lookaheadMs: 1_500 } as const satisfies Partial<EngineOptions>;
