import type { Readable } from 'node:stream';
import type { AnswerOf, BodyOf, Endpoint, QueryOf } from '@meridian/contract/endpoint';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { requestKey } from '../idempotency/request-key.ts';
import type { RequestKey } from '../idempotency/request-key.ts';
import type { Author } from '../audit/author.ts';
import type { Actor } from './actor.ts';
import { AppError } from './app-error.ts';
import { answerSchema } from './answer-schema.ts';
import { allowTime } from './call-time.ts';
import { bodyValidator, queryValidator } from './validate.ts';
import type { Validator } from './validate.ts';

type PlaceholdersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never;

export type PublicInput<E extends Endpoint> = {
  query: QueryOf<E>;
  body: BodyOf<E>;
  params: Readonly<Record<PlaceholdersOf<E['path']>, string>>;
  request: FastifyRequest;
  /** For headers, and to stream a list or a file; the answer is what the handler returns. */
  reply: FastifyReply;
};
export type Input<E extends Endpoint> = PublicInput<E> & {
  actor: Actor;
  /** Of a call that takes one, when the caller sent it. */
  key: RequestKey | null;
};
/** For the few calls that may take longer, or send more, than the server's usual limit. */
export type CallLimits = { timeoutMs?: number; bodyBytes?: number };

/** Binds a call of the contract to its handler, inside the scope that authenticates. */
export function register<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (input: Input<E>) => Promise<AnswerOf<E> | Readable>,
  limits: CallLimits = {},
): void {
  if (endpoint.credential !== 'bearer') throw new Error(`${endpoint.name} takes no credential`);
  const withActor = async (input: PublicInput<E>) => {
    const { actor } = input.request;
    // The hook of the scope has refused already; a route registered outside of it stays shut too.
    if (actor === undefined) throw new AppError('unauthenticated');
    return handler({ ...input, actor, key: keyOf(endpoint, input, actor.adminId) });
  };
  bind(app, endpoint, withActor, limits);
}

/** A signed-in person who schedules. */
export type Member = {
  userId: string;
  did: string;
  sessionId: string;
  /** The service that acts for the member, by its token. */
  service: Author | null;
};
export type MemberInput<E extends Endpoint> = PublicInput<E> & {
  member: Member;
  key: RequestKey | null;
};

/** The same for the calls of the people who schedule, inside the scope that reads their cookie. */
export function registerMember<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (input: MemberInput<E>) => Promise<AnswerOf<E> | Readable>,
  limits: CallLimits = {},
): void {
  if (endpoint.credential !== 'cookie') throw new Error(`${endpoint.name} takes no cookie`);
  const withMember = async (input: PublicInput<E>) => {
    const { member } = input.request;
    if (member === undefined) throw new AppError('unauthenticated');
    return handler({ ...input, member, key: keyOf(endpoint, input, member.userId) });
  };
  bind(app, endpoint, withMember, limits);
}

/** The same for the few calls that need no session. */
export function registerPublic<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (input: PublicInput<E>) => Promise<AnswerOf<E>>,
): void {
  if (endpoint.credential !== 'none') throw new Error(`${endpoint.name} needs a credential`);
  bind(app, endpoint, handler);
}

function keyOf<E extends Endpoint>(
  { takesKey, name: call }: E,
  { request, body }: PublicInput<E>,
  ownerId: string,
): RequestKey | null {
  const header = request.headers['idempotency-key'];
  return takesKey ? requestKey(header, { ownerId, call, body }) : null;
}

/** `/api/admin/users/{id}` in the router's spelling. */
export function routerPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1');
}

function bind<E extends Endpoint>(
  app: FastifyInstance,
  endpoint: E,
  handler: (input: PublicInput<E>) => Promise<AnswerOf<E> | Readable>,
  { timeoutMs, bodyBytes }: CallLimits = {},
): void {
  const readsBody = endpoint.method !== 'GET';
  app.route({
    method: endpoint.method,
    url: routerPath(endpoint.path),
    config: { endpoint },
    ...(bodyBytes !== undefined && { bodyLimit: bodyBytes }),
    schema: {
      querystring: queryValidator(endpoint.query),
      ...(readsBody && { body: bodyValidator(endpoint.body) }),
      response: { [endpoint.status]: answerSchema(endpoint) },
    },
    // The "schemas" above are the validators themselves, whatever Fastify's types call them.
    validatorCompiler: ({ schema }) => schema as unknown as Validator,
    handler: async (request, reply) => {
      if (timeoutMs !== undefined) allowTime(request, timeoutMs);
      reply.code(endpoint.status);
      return handler({
        // Replaced by the validators with what the schemas gave out, hence of these types.
        query: request.query as QueryOf<E>,
        body: request.body as BodyOf<E>,
        params: request.params as PublicInput<E>['params'],
        request,
        reply,
      });
    },
  });
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call of the contract that a route serves. */
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    /** Set by the authentication hook before any handler of its scope runs. */
    actor?: Actor;
    /** The same for a person who schedules. */
    member?: Member;
  }
}
