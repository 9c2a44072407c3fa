import type { Endpoint } from '@meridian/contract/endpoint';
import { accessKeywordRevoke } from '@meridian/contract/access-keywords';
import { accountGet } from '@meridian/contract/accounts';
import { apiTokenRevoke, MEMBER_HEADER, meTokenRevoke } from '@meridian/contract/api-tokens';
import { assignmentRevoke } from '@meridian/contract/assignments';
import { auditList } from '@meridian/contract/audit';
import { bulkGet } from '@meridian/contract/bulk';
import { currencyGet } from '@meridian/contract/currencies';
import { deliveryGet, engineGet } from '@meridian/contract/engine';
import { failureList } from '@meridian/contract/failures';
import { MEMBER_COOKIE, meGet } from '@meridian/contract/me/account';
import { meMediaUpload, mePostGet } from '@meridian/contract/me/posts';
import { planGet } from '@meridian/contract/plans';
import { postGet, postList } from '@meridian/contract/posts';
import { REASON_HEADER, REASON_MAX_LENGTH } from '@meridian/contract/requests';
import { settingsGet } from '@meridian/contract/settings';
import { statsGet } from '@meridian/contract/overview';
import { ticketGet, ticketList } from '@meridian/contract/tickets';
import { userGet } from '@meridian/contract/users';
import { scheduleCheckGet } from '@meridian/contract/schedule-check';
import { errorBody, ERRORS } from '@meridian/contract/errors';
import type { ErrorCode } from '@meridian/contract/errors';
import * as z from 'zod/mini';
import type { JsonSchema } from '../register.ts';
import { hasEtag, errorCodesOf, takesIfMatch } from './error-codes.ts';
import { PARAMETERS, TAGS, exampleOf } from './words.ts';

export type Operation = {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  security: Record<string, string[]>[];
  parameters: Parameter[];
  requestBody?: { required: true; content: Content };
  responses: Record<string, Response>;
};
type Response = {
  description: string;
  headers?: Record<string, { description: string; schema: JsonSchema }>;
  content: Content;
};
export type Parameter = {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  required: boolean;
  schema: JsonSchema;
};
type Content = Record<string, { schema: JsonSchema; example?: unknown }>;

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

export function openApiDocument(endpoints: readonly Endpoint[]) {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const endpoint of endpoints) {
    const path = (paths[endpoint.path] ??= {});
    path[endpoint.method.toLowerCase()] = operationOf(endpoint);
  }
  const schemas: Record<string, JsonSchema> = {
    Error: schemaOf(errorBody, 'output'),
    ...componentSchemas(),
  };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Meridian API',
      version: '1',
      description:
        'The calls of the administration console (/api/admin) and of the page on which members write (/api/me).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(endpoints.map(tagOf))].map((name) => ({
      name,
      description: TAGS[name] ?? '',
    })),
    paths,
    components: {
      securitySchemes: {
        session: { type: 'http', scheme: 'bearer', description: 'The token of a sign-in' },
        member: { type: 'apiKey', in: 'cookie', name: MEMBER_COOKIE },
        token: { type: 'http', scheme: 'bearer', description: 'An API token' },
      },
      schemas,
    },
  };
}

const TEXT = { type: 'string' };
const IDEMPOTENCY_KEY = header(
  'Idempotency-Key',
  'A name that the caller chooses for this request. Made again under it within 24 hours, the request does nothing and gets the first answer; with other content it is refused.',
  { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
);
const MEMBER = header(
  MEMBER_HEADER,
  'The DID of the member for whom the API token of a service makes this call.',
);
const REASON = header(
  REASON_HEADER,
  'Why the change is made, percent-encoded; the audit log stores it.',
  { type: 'string', maxLength: REASON_MAX_LENGTH },
);
const IF_MATCH = header(
  'If-Match',
  'The ETag of the version that the change starts from. When the entity has another by now, nothing is changed and the response is 412. Left out or *, any version will do.',
);

function header(name: string, description: string, schema: JsonSchema = TEXT): Parameter {
  return { name, in: 'header', required: false, description, schema };
}

const PICTURE: Content = { 'image/*': { schema: { type: 'string', format: 'binary' } } };
const EXPORT: Content = { 'text/csv': { schema: TEXT }, 'application/x-ndjson': { schema: TEXT } };
const ETAG = {
  ETag: { description: 'The version of the entity, for If-Match', schema: TEXT },
};
const RETRY_AFTER = {
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
};

function operationOf(endpoint: Endpoint): Operation {
  return {
    operationId: endpoint.name,
    tags: [tagOf(endpoint)],
    summary: endpoint.summary,
    description: tokenSentence(endpoint),
    security: securityOf(endpoint),
    parameters: [
      ...pathParameters(endpoint),
      ...queryParameters(endpoint),
      ...(endpoint.takesKey ? [IDEMPOTENCY_KEY] : []),
      ...(takesIfMatch(endpoint) ? [IF_MATCH] : []),
      ...(takesReason(endpoint) ? [REASON] : []),
      ...(isForMembers(endpoint) ? [MEMBER] : []),
    ],
    ...(endpoint.body !== null && {
      requestBody: {
        required: true as const,
        content: endpoint.name === meMediaUpload.name ? PICTURE : bodyContent(endpoint.body),
      },
    }),
    responses: {
      [endpoint.status]: {
        description: 'Done',
        ...(hasEtag(endpoint) && { headers: ETAG }),
        content: contentOf(endpoint),
      },
      ...errorResponses(errorCodesOf(endpoint)),
    },
  };
}

function isForMembers({ credential, right }: Endpoint): boolean {
  return credential === 'cookie' && right !== null;
}

function takesReason(endpoint: Endpoint): boolean {
  return endpoint.method !== 'GET' && (endpoint.credential === 'bearer' || isForMembers(endpoint));
}

function bodyContent(body: z.ZodMiniType): Content {
  const schema = schemaOf(body, 'input');
  return { 'application/json': { schema, example: exampleOf(schema) } };
}

export function bodyOf({ requestBody }: Operation): JsonSchema | undefined {
  return requestBody?.content['application/json']?.schema;
}

function tokenSentence({ right, credential }: Endpoint): string {
  if (right === 'any') return 'Any API token can make this call.';
  if (right !== null) return `An API token needs the right ${right}.`;
  return credential === 'none' ? 'Needs no token.' : 'No API token can make this call.';
}

function securityOf({ right, credential }: Endpoint): Operation['security'] {
  const own = { bearer: { session: [] }, cookie: { member: [] }, none: {} }[credential];
  return right === null ? [own] : [own, { token: [] }];
}

function contentOf({ media, answer }: Endpoint): Response['content'] {
  if (media === 'picture') return PICTURE;
  if (media === 'export') return EXPORT;
  const schema = schemaOf(answer, 'output');
  return media === 'events' ? { 'text/event-stream': { schema } } : json(schema);
}

function errorResponses(codes: readonly ErrorCode[]): Record<string, Response> {
  const responses: Record<string, Response> = {};
  const statuses = new Set(codes.map((code) => ERRORS[code].status));
  for (const status of statuses) {
    const own = [...new Set(codes)].filter((code) => ERRORS[code].status === status);
    const codeSchema = { properties: { code: { enum: own } } };
    responses[status] = {
      description: own.map((code) => `${code}: ${ERRORS[code].message}`).join('\n'),
      ...((status === 429 || status === 503) && { headers: RETRY_AFTER }),
      content: json({ allOf: [{ $ref: '#/components/schemas/Error' }, codeSchema] }),
    };
  }
  return responses;
}

function tagOf({ path }: Endpoint): string {
  return path.startsWith('/api/me') ? 'me' : (path.split('/')[3] ?? '');
}

function pathParameters({ path }: Endpoint): Parameter[] {
  return Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => ({
    name,
    in: 'path' as const,
    description: PARAMETERS[name] ?? '',
    required: true,
    schema: path.startsWith(auditList.path)
      ? { type: 'integer' }
      : { type: 'string', format: 'uuid' },
  }));
}

function queryParameters({ query }: Endpoint): Parameter[] {
  if (query === null) return [];
  const { properties, required } = schemaOf(query, 'input');
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties ?? {}).map(([name, schema]) => ({
    name,
    in: 'query' as const,
    description: PARAMETERS[name] ?? '',
    required: names.includes(name),
    // Properties of a JSON Schema are JSON Schemas.
    schema: schema as JsonSchema,
  }));
}

const elementOf = <Element extends z.ZodMiniType>(list: z.ZodMiniArray<Element>): Element =>
  list.def.element;

const COMPONENTS: Readonly<Record<string, z.ZodMiniType>> = {
  Settings: settingsGet.answer,
  Stats: statsGet.answer,
  User: userGet.answer.shape.user,
  Post: postGet.answer.shape.post,
  PostRow: elementOf(postList.answer.shape.posts),
  Assignment: assignmentRevoke.answer.shape.assignment,
  Ticket: ticketGet.answer.shape.ticket,
  TicketRow: elementOf(ticketList.answer.shape.tickets),
  Plan: planGet.answer.shape.plan,
  Currency: currencyGet.answer.shape.currency,
  Engine: engineGet.answer,
  Delivery: deliveryGet.answer.shape.delivery,
  AuditEntry: elementOf(auditList.answer.shape.entries),
  FailureGroup: elementOf(failureList.answer.shape.groups),
  ScheduleCheck: scheduleCheckGet.answer.shape.scheduleCheck,
  BulkChange: bulkGet.answer.shape.change,
  Account: accountGet.answer.shape.account,
  AccessKeyword: accessKeywordRevoke.answer.shape.accessKeyword,
  ApiToken: apiTokenRevoke.answer.shape.apiToken,
  MemberToken: meTokenRevoke.answer.shape.apiToken,
  Member: meGet.answer,
  MemberPost: mePostGet.answer.shape.post,
  Media: meMediaUpload.answer.shape.media,
  Cursors: postList.answer.shape.cursors,
};

let names: ReadonlyMap<string, string> | undefined;

function named(): ReadonlyMap<string, string> {
  names ??= new Map(
    Object.entries(COMPONENTS)
      .map(([name, schema]) => [JSON.stringify(plain(schema, 'output')), name] as const)
      .toReversed(),
  );
  return names;
}

function componentSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(COMPONENTS).map(([name, schema]) => {
      const parts = Object.entries(plain(schema, 'output')).map(([key, part]) => [key, refs(part)]);
      return [name, Object.fromEntries(parts) as JsonSchema]; // its parts are those of a schema
    }),
  );
}

function refs(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part;
  if (Array.isArray(part)) return part.map(refs);
  const name = named().get(JSON.stringify(part));
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, refs(inner)]));
}

function schemaOf(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const whole = plain(schema, io);
  return io === 'input' ? whole : (refs(whole) as JsonSchema); // of an object it makes an object
}

function plain(schema: z.ZodMiniType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      const isAny = jsonSchema.anyOf?.some((one) => Object.keys(one).length === 0);
      if (isAny === true) delete jsonSchema.anyOf;
    },
  });
  return rest;
}

function json(schema: JsonSchema): Content {
  return { 'application/json': { schema } };
}
