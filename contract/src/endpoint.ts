import * as z from 'zod/mini';

export const RIGHTS = {
  'users:read': 'See users, their plans and accounts',
  'users:write': 'Change users, revoke their plans, disconnect their accounts',
  'posts:read': 'See posts, deliveries and failures',
  'posts:write': 'Change, cancel, delete and retry posts',
  'tickets:read': 'See tickets',
  'tickets:write': 'Issue and revoke tickets',
  'plans:read': 'See plans',
  'plans:write': 'Change and publish plans',
  'currencies:read': 'See currencies',
  'currencies:write': 'Change currencies',
  'settings:read': 'See the switches of the service',
  'settings:write': 'Change the switches of the service, suspend and resume it',
  'keywords:read': 'See access keywords',
  'keywords:write': 'Create and revoke access keywords',
  'audit:read': 'See the audit log',
  'engine:read': 'See the engine, its hosts and the figures of the service',
  members: 'Act for any member: schedule, redeem, export and delete on their behalf',
} as const;
export type Right = keyof typeof RIGHTS;

type Schema = z.ZodMiniType;

/** One call of the API, as both sides make, check, serve and document it. */
export type Endpoint = {
  /** Noun then verb: `postList`, `postCancel`. Unique; the key of queries and of the OpenAPI operation. */
  readonly name: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /**
   * Below `/api/console/` the server that serves the console handles the call, also in front of
   * another service. Below `/api/me` are the calls of members.
   */
  readonly path:
    | `/api/admin/${string}`
    | `/api/console/${string}`
    | '/api/me'
    | `/api/me/${string}`;
  readonly summary: string;
  /** The right that an API token needs: `any` of them, or null when only a session may make this call. */
  readonly right: Right | 'any' | null;
  /** Unless said otherwise, administrators carry a bearer token, and members the cookie of their session. */
  readonly credential: 'bearer' | 'cookie' | 'none';
  /** Made again with the same `Idempotency-Key`, it repeats the first response and does nothing. */
  readonly takesKey: boolean;
  readonly status: 200 | 201;
  /** Left out where a successful response is JSON that fits `answer`. */
  readonly media?: 'picture' | 'export' | 'events' | undefined;
  readonly query: Schema | null;
  readonly body: Schema | null;
  readonly answer: Schema;
};

type EndpointInput<
  P extends Endpoint['path'],
  Q extends Schema | null,
  B extends Schema | null,
  A extends Schema,
> = Pick<Endpoint, 'name' | 'method' | 'summary' | 'right'> & {
  path: P;
  credential?: Endpoint['credential'];
  takesKey?: boolean;
  status?: Endpoint['status'];
  media?: Endpoint['media'];
  query?: Q;
  body?: B;
  answer: A;
};

export function endpoint<
  A extends Schema,
  const P extends Endpoint['path'],
  Q extends Schema | null = null,
  B extends Schema | null = null,
>(input: EndpointInput<P, Q, B, A>) {
  const credential: Endpoint['credential'] = input.path.startsWith('/api/me') ? 'cookie' : 'bearer';
  return {
    credential,
    status: 200 as const,
    takesKey: false,
    ...input,
    // The generics keep `null` apart from a schema so that callers get exact argument types.
    query: (input.query ?? null) as Q,
    body: (input.body ?? null) as B,
  };
}

export const success = z.object({ success: z.literal(true) });

type SchemaOutput<S> = S extends Schema ? z.output<S> : undefined;
type SchemaInput<S> = S extends Schema ? z.input<S> : undefined;

export type QueryOf<E extends Endpoint> = SchemaOutput<E['query']>;
export type BodyOf<E extends Endpoint> = SchemaOutput<E['body']>;
// A caller passes numbers and flags as such, and leaves defaults out.
export type QueryInput<E extends Endpoint> = Partial<SchemaOutput<E['query']>>;
export type BodyInput<E extends Endpoint> = SchemaInput<E['body']>;
export type AnswerOf<E extends Endpoint> = z.output<E['answer']>;
