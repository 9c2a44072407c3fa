import { randomUUIDv7 } from 'node:crypto';
import { fastify, LogController } from 'fastify';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Config } from './config.ts';
import type { Context } from './services.ts';
import type { Engine } from './engine/engine.ts';
import { eventsRoutes } from './features/events/events.routes.ts';
import { FEATURES } from './features/index.ts';
import { memberRoutes } from './features/me/index.ts';
import { createPicturesService, picturesRoutes } from './features/pictures/pictures.ts';
import type { PicturesOptions } from './features/pictures/pictures.ts';
import { publicSessionsRoutes } from './features/sessions/sessions.routes.ts';
import { answerBrokenRequest, answerErrors, sendError } from './http/errors.ts';
import { acceptJsonOnly } from './http/bodies.ts';
import { cdnPlugin } from './objects/cdn.ts';
import { metricsRoutes } from './metrics/metrics.ts';
import { oauthClientRoutes } from './network/oauth/live-network.ts';
import { limitInFlight, limitPerSession, limitTime, limitUnread } from './http/limits.ts';
import { requireSession } from './http/auth.ts';
import { consoleRoutes, pageConfigOf, memberPageRoutes, readableUrl } from './http/pages.ts';
import { docsRoutes } from './http/docs/docs.routes.ts';
import {
  requireUpstreamSession,
  upstreamRoutes,
  warnOfUntrustedForwarding,
} from './http/upstream.ts';
import {
  DATA_HEADERS,
  checkHost,
  checkOrigin,
  pageHeaders,
  servedHosts,
  setHeaders,
  trustedProxies,
} from './http/guards.ts';
import { healthRoutes } from './http/health.ts';
import { logRequests } from './log.ts';
import type { IsTrustedProxy } from './http/guards.ts';

/** The limit is below the default limit of open files on many systems; further connections are closed. */
const MAX_CONNECTIONS = 15_000;
const PICTURES_PER_MINUTE = 60;

export type AppOptions = {
  config: Config;
  log: FastifyBaseLogger;
  context: Context | null;
  engine?: Pick<Engine, 'metrics'> | null;
  consoleDir: URL;
  meDir?: URL;
  pictures?: PicturesOptions & { perMinute?: number };
};

export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { config, context } = options;
  const isTrustedProxy = trustedProxies(config.trustProxy);
  const app = createServer(options, isTrustedProxy);
  warnOfUntrustedForwarding(app, isTrustedProxy);
  answerErrors(app);
  acceptJsonOnly(app);
  logRequests(app);
  limitTime(app);
  setHeaders(app, config.hstsIncludeSubDomains);
  checkHost(app, servedHosts(config.host, config.allowedHosts));
  await checkOrigin(app, config.corsOrigins);

  const page = pageConfigOf(config);
  const headers = pageHeaders({
    images: page.imageSources,
    calls: config.consoleApi === null ? [] : [config.consoleApi.origin],
  });
  healthRoutes(app, () => context?.notReadyReason() ?? Promise.resolve(null));
  await metricsRoutes(app, config.metricsToken, context, options.engine?.metrics.registry ?? null);
  docsRoutes(app, headers);
  if (context !== null) {
    await apiRoutes(app, context);
    await memberRoutes(app, context, options.pictures?.network);
    if (options.meDir) await memberPageRoutes(app, { directory: options.meDir, headers });
    await app.register(async (cdn) => {
      limitInFlight(cdn);
      limitUnread(cdn);
      await cdnPlugin(cdn, { store: context.objects });
    });
    if (context.live !== null) oauthClientRoutes(app, context.live);
    if (config.network === 'local') {
      const { localNetworkPlugin } = await import('./network/local/local-network.ts');
      await localNetworkPlugin(app, { db: context.db, imageSources: page.imageSources });
    }
  }
  if (config.upstreamApi !== null) await upstreamRoutes(app, config.upstreamApi);
  await pictureRoutes(app, options);
  await consoleRoutes(app, { directory: options.consoleDir, headers, config: page });
  return app;
}

async function apiRoutes(app: FastifyInstance, context: Context): Promise<void> {
  publicSessionsRoutes(app, context);
  await app.register(async (admin) => {
    limitInFlight(admin);
    limitUnread(admin);
    requireSession(admin, context);
    limitPerSession(admin, context.config.sessionRateLimit);
    for (const feature of FEATURES) feature(admin, context);
  });
  await app.register(async (scope) => {
    requireSession(scope, context);
    limitPerSession(scope, context.config.sessionRateLimit);
    eventsRoutes(scope, context);
  });
}

/** Pictures have a scope of their own: slow ones must not take the slots of the other calls. */
async function pictureRoutes(
  app: FastifyInstance,
  { config, context, pictures = {} }: AppOptions,
): Promise<void> {
  const { upstreamApi } = config;
  await app.register(async (scope) => {
    limitInFlight(scope);
    if (context !== null) requireSession(scope, context);
    else if (upstreamApi !== null) requireUpstreamSession(scope, upstreamApi);
    limitUnread(scope);
    limitPerSession(scope, pictures.perMinute ?? PICTURES_PER_MINUTE);
    picturesRoutes(scope, createPicturesService(pictures));
  });
}

function createServer(
  { config, log }: AppOptions,
  isTrustedProxy: IsTrustedProxy,
): FastifyInstance {
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({
      disableRequestLogging: true,
      requestIdLogLabel: 'requestId',
    }),
    genReqId: () => randomUUIDv7(),
    rewriteUrl: (request) => readableUrl(request, { isOwnApi: config.upstreamApi === null }),
    requestIdHeader: false,
    trustProxy: config.trustProxy.length > 0 ? isTrustedProxy : false,
    bodyLimit: 65_536,
    requestTimeout: 15_000,
    connectionTimeout: 20_000,
    keepAliveTimeout: 5_000,
    maxRequestsPerSocket: 1_000,
    forceCloseConnections: 'idle',
    // Requests on open connections are still served while the server stops.
    return503OnClosing: false,
    exposeHeadRoutes: false,
    // Frequent checks let few connections time out at once: closing ten thousand blocks the event loop.
    http: {
      maxHeaderSize: 8_192,
      headersTimeout: 10_000,
      connectionsCheckingInterval: 100,
      // Node's own response has no body; that of `checkHost` has one.
      requireHostHeader: false,
    },
    // Without a session an overlong id gets 401, not 404.
    routerOptions: { maxParamLength: 8_192 },
    clientErrorHandler: answerBrokenRequest,
    // No hook has set the headers of these responses yet.
    frameworkErrors: (error, request, reply) =>
      void sendError(
        error,
        request,
        reply.headers(DATA_HEADERS).header('x-request-id', request.id),
      ),
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  // An unknown Expect header may be ignored; Node would respond with an empty 417.
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  return app;
}
