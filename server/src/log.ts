import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import type { LogLevel } from './config/variables.ts';
import { networkOf } from './http/guards.ts';

export function createLog(
  level: LogLevel,
  destination: DestinationStream = standardOutput(),
): Logger {
  return pino(
    {
      level,
      base: null,
      serializers: { err: describeError },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: withoutSecrets },
    },
    destination,
  );
}

function standardOutput(): DestinationStream {
  // Each line is one write, so that a crash loses none.
  const out = pino.destination({ fd: 1, sync: true });
  // A closed pipe or a full disk must not end the server.
  out.on('error', () => {});
  return out;
}

const SECRETS = [
  'authorization',
  'cookie',
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'connectionString',
];
const NAMES_A_SECRET = new RegExp(`"(?:${SECRETS.join('|')})":`);

/** The finished line is searched because pino's own redaction took ten times as long as the rest of a line. */
function withoutSecrets(line: string): string {
  if (!NAMES_A_SECRET.test(line)) return line;
  const shown: unknown = JSON.parse(line, (name, value: unknown) =>
    SECRETS.includes(name) ? '[secret]' : value,
  );
  return `${JSON.stringify(shown)}\n`;
}

/** Only known fields are logged: drivers attach credentials, and a violated constraint the values of the row. */
function describeError(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const details = ['code', 'constraint', 'table'].flatMap((key) => {
    const value: unknown = Reflect.get(error, key);
    return typeof value === 'string' ? [[key, value]] : [];
  });
  return {
    type: name,
    message,
    ...Object.fromEntries(details),
    stack,
    ...(cause !== undefined && { cause: describeError(cause) }),
  };
}

/** The log has the pattern of a route, as a URL holds ids and search texts. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    // Fastify has no hook for a connection that closes before the end of the response.
    reply.raw.once('close', () => {
      if (!reply.raw.writableFinished) logRequest(request, reply, { aborted: true });
    });
    done();
  });
  app.addHook('onResponse', async (request, reply) => {
    // A failed write is reported when the connection closes.
    if (reply.raw.writableFinished) logRequest(request, reply, {});
  });
}

function logRequest(
  request: FastifyRequest,
  reply: FastifyReply,
  outcome: { aborted?: true },
): void {
  const route = request.routeOptions.url ?? 'unknown';
  const isCall = route.startsWith('/api/');
  const line = {
    method: request.method,
    route,
    status: reply.raw.headersSent ? reply.statusCode : null,
    ms: Math.round(reply.elapsedTime * 10) / 10,
    ...outcome,
    ...(request.actor && { admin: request.actor.adminId }),
    ...(isCall && { network: request.actor?.network ?? networkOf(request.ip) }),
  };
  // Requests for files of the console would bury what administrators do.
  const level = isCall || reply.statusCode >= 400 ? 'info' : 'debug';
  request.log[level](line, 'Request');
}
