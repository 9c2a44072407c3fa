import { reasonText } from '@meridian/contract/audit';
import type { AnswerOf, BodyOf, Endpoint, QueryOf } from '@meridian/contract/endpoint';
import { REASON_HEADER } from '@meridian/contract/requests';
import { issuesOf } from '@meridian/contract/validation';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Readable } from 'node:stream';
import * as z from 'zod/mini';
import type { Author } from '../audit/audit.store.ts';
import type { ExpectedVersions } from '../db/sql.ts';
import { AppError, invalidField } from './errors.ts';
import type { Issue } from './errors.ts';
import { requestKey } from './idempotency.ts';
import type { RequestKey } from './idempotency.ts';
import { allowTime } from './limits.ts';

type PlaceholdersOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholdersOf<Rest>
  : never;

type PublicInput<E extends Endpoint> = {
  query: QueryOf<E>;
  body: BodyOf<E>;
  params: Readonly<Record<PlaceholdersOf<E['path']>, string>>;
  request: FastifyRequest;
  reply: FastifyReply;
};
export type Input<E extends Endpoint> = PublicInput<E> & { actor: Actor; key: RequestKey | null };
export type MemberInput<E extends Endpoint> = PublicInput<E> & {
  member: Member;
  key: RequestKey | null;
};

export type Actor = Author & {
  readonly adminId: string;
  readonly displayName: string | null;
  /** The SHA-256 of the token names the session without being able to use it. */
  readonly tokenHash: Buffer;
};

export type SessionActor = Omit<Actor, 'requestId' | 'network'>;

export type Member = {
  userId: string;
  did: string;
  sessionId: string;
  service: Author | null;
};

declare module 'fastify' {
  interface FastifyContextConfig {
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    /** The authentication hook sets one of the two before any handler of its scope runs. */
    actor?: Actor;
    member?: Member;
  }
}

type CallLimits = { timeoutMs?: number; bodyBytes?: number };

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
    // The schemas above are the validators themselves, whatever Fastify's types call them.
    validatorCompiler: ({ schema }) => schema as unknown as Validator,
    handler: async (request, reply) => {
      if (timeoutMs !== undefined) allowTime(request, timeoutMs);
      reply.code(endpoint.status);
      return handler({
        // The types hold because the validators have put the output of the schemas there.
        query: request.query as QueryOf<E>,
        body: request.body as BodyOf<E>,
        params: request.params as PublicInput<E>['params'],
        request,
        reply,
      });
    },
  });
}

type Validator = (data: unknown) => { value: unknown } | { error: AppError };
type Schema = z.ZodMiniType;

const NOTHING = z.strictObject({});

/** Values of a query arrive as text; a key given twice as a list of texts. */
export function queryValidator(schema: Schema | null): Validator {
  const check = validator(schema ?? NOTHING);
  return (data) => {
    const given = Object.entries(data ?? {});
    const issue = queryIssue(given);
    if (issue !== null) return { error: refusal([issue]) };
    // A parameter without a value was not given: clients add it only when it has one.
    return check(Object.fromEntries(given.filter(([, value]) => value !== '')));
  };
}

function queryIssue(given: readonly [string, unknown][]): Issue | null {
  for (const [path, value] of given) {
    if (Array.isArray(value)) return { path, message: `${path} is given more than once` };
    // PostgreSQL cannot hold this character in any text.
    if (String(value).includes('\0')) return { path, message: `${path} is not valid` };
  }
  return null;
}

export function bodyValidator(schema: Schema | null): Validator {
  const check = validator(schema ?? NOTHING);
  // Fastify gives null when nothing was sent; given an empty object, the schema names the missing fields.
  return (data) => check(data ?? {});
}

function validator(schema: Schema): Validator {
  return (data) => {
    const { success, data: value, error } = schema.safeParse(data);
    return success ? { value } : { error: refusal(issuesOf(error, data)) };
  };
}

function refusal(issues: Issue[]): AppError {
  const message = issues[0]?.message;
  return new AppError('invalid_input', message === undefined ? {} : { message, issues });
}

export type JsonSchema = { [key: string]: unknown };

/** Fastify compiles the serialiser from this schema: only the listed fields leave. */
export function answerSchema(endpoint: Endpoint): JsonSchema {
  const schema = z.toJSONSchema(endpoint.answer, {
    target: 'draft-07',
    io: 'output',
    unrepresentable: 'any',
  });
  return forSerializer(schema);
}

/** The serialiser would validate each value to choose between two schemas; `nullable` costs one comparison. */
function forSerializer(node: JsonSchema): JsonSchema {
  const copy = Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, key === 'default' ? value : walk(value)]),
  );
  const choices = copy['anyOf'];
  if (!Array.isArray(choices) || choices.length !== 2) return copy;
  const [first, second] = choices.filter(isSchema);
  if (first === undefined || second?.['type'] !== 'null') return copy;
  const { anyOf: _, ...rest } = copy;
  if (Object.keys(first).length === 0) return rest;
  return typeof first['type'] === 'string' ? { ...rest, ...first, nullable: true } : copy;
}

function walk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(walk);
  return isSchema(value) ? forSerializer(value) : value;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function tagged<T extends { version: number }>(reply: FastifyReply, entity: T): T {
  reply.header('etag', `"v${entity.version}"`);
  return entity;
}

const OWN_TAG = /^"v(\d{1,16})"$/;

/** Nothing matches a tag that cannot be read: the change is refused rather than made without a condition. */
export function expectedBy({ headers }: Pick<FastifyRequest, 'headers'>): ExpectedVersions {
  const ifMatch = headers['if-match'];
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  return ifMatch.split(',').flatMap((tag) => {
    const [, version] = OWN_TAG.exec(tag.trim()) ?? [];
    return version === undefined ? [] : [Number(version)];
  });
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id is checked before the query, as the database refuses other texts with an error. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function reasonOf({ headers, method }: FastifyRequest): string | null {
  const header = headers[REASON_HEADER.toLowerCase()];
  if (method === 'GET' || typeof header !== 'string' || header === '') return null;
  const { success, data, error } = reasonText.safeParse(decoded(header));
  if (success) return data;
  throw invalidField('reason', error.issues[0]?.message ?? 'The reason is not valid');
}

function decoded(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    throw invalidField('reason', `${REASON_HEADER} must be percent-encoded UTF-8`);
  }
}
