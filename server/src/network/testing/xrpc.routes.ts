import { l } from '@atproto/lex-schema';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sendError } from '../../http/errors.ts';
import { MAX_BLOB_BYTES } from '../local/local-repo.ts';
import { lex } from '../local/post-lexicon.ts';
import { invalidRequest, XrpcError } from '../local/xrpc-error.ts';
import { createTestRepo } from './test-repo.ts';
import type { PutInput, RecordInput, TestStore } from './test-repo.ts';

const MAX_JSON_BYTES = 1_000_000;
const DEFAULT_PAGE = 50;

/** The fields of all writing calls; the schema of a call says which it has. */
type WriteInput = PutInput & {
  repo: string;
  writes: (RecordInput & { value: RecordInput['record'] })[];
};

/** The local network over HTTP at `/xrpc/{method}`. One password opens every account. */
export function xrpcRoutes(app: FastifyInstance, store: TestStore, password: string): void {
  const repo = createTestRepo(store);
  const sessions = createTestSessions(password);
  acceptBytes(app);
  sendXrpcErrors(app);

  /** A call that writes to the repository of the session's account. */
  function procedure(
    name: CallName,
    run: (did: string, input: WriteInput) => Promise<object>,
  ): void {
    const options = { bodyLimit: MAX_JSON_BYTES };
    app.post(`/xrpc/com.atproto.repo.${name}`, options, async (request) => {
      const did = sessions.didOf(request.headers.authorization);
      const input = checked<WriteInput>(name, jsonBody(request));
      const account = await store.findDid(input.repo);
      if (account === null) throw new XrpcError(403, 'AccountNotFound', 'Account not found');
      if (account !== did) {
        throw new XrpcError(401, 'AuthenticationRequired', 'Authentication Required');
      }
      return run(did, input);
    });
  }

  procedure('putRecord', (did, input) => repo.putRecord(did, input));
  procedure('createRecord', (did, input) => repo.createRecord(did, input));
  procedure('applyWrites', (did, { writes, validate }) =>
    repo.applyWrites(
      did,
      writes.map(({ value, ...write }) => ({ ...write, record: value, validate })),
    ),
  );

  app.route({
    method: 'POST',
    url: '/xrpc/com.atproto.repo.uploadBlob',
    bodyLimit: MAX_BLOB_BYTES,
    handler: async (request) => {
      const did = sessions.didOf(request.headers.authorization);
      return repo.uploadBlob(did, bytesOf(request), typeOf(request));
    },
  });

  app.route({
    method: 'POST',
    url: '/xrpc/com.atproto.server.createSession',
    handler: async (request) => {
      const { identifier, password: given } = jsonBody(request);
      if (typeof identifier !== 'string' || typeof given !== 'string' || hasNul(identifier)) {
        throw invalidRequest('Expected an identifier and a password');
      }
      const did = await store.findDid(identifier);
      return { did, handle: identifier, accessJwt: sessions.create(did, given), active: true };
    },
  });

  app.get<{ Querystring: Record<string, string> }>(
    '/xrpc/com.atproto.repo.getRecord',
    async ({ query }) => {
      const input = checked<{ repo: string; collection: string; rkey: string; cid?: string }>(
        'getRecord',
        query,
      );
      const did = await store.findDid(input.repo);
      if (did === null) throw invalidRequest('Could not locate record');
      return repo.getRecord({ ...input, did }, input.cid);
    },
  );

  app.get<{ Querystring: Record<string, string> }>(
    '/xrpc/com.atproto.repo.listRecords',
    async ({ query }) => {
      const { limit = DEFAULT_PAGE, ...rest } = query;
      const input = checked<{ repo: string; collection: string; limit: number; cursor?: string }>(
        'listRecords',
        { ...rest, limit: Number(limit) },
      );
      if (hasNul(input.cursor ?? '')) throw invalidRequest('Invalid cursor');
      const did = await store.findDid(input.repo);
      if (did === null) throw invalidRequest(`Could not find repo: ${input.repo}`);
      return repo.listRecords(did, input.collection, {
        limit: input.limit,
        cursor: input.cursor ?? null,
      });
    },
  );

  app.get<{ Querystring: Record<string, string> }>(
    '/xrpc/com.atproto.sync.getBlob',
    async ({ query }, reply) => {
      const { did, cid } = checked<{ did: string; cid: string }>('getBlob', query);
      const { mimeType, bytes } = await repo.getBlob(did, cid);
      return reply
        .type(mimeType)
        .headers({
          'content-disposition': `attachment; filename="${cid}"`,
          'cache-control': 'public, max-age=31536000, immutable',
        })
        .send(Buffer.from(bytes));
    },
  );
}

/** Refuses what the schema of the call refuses. */
function checked<Input>(call: CallName, input: Partial<Record<keyof Input, unknown>>): Input {
  const result = INPUTS[call].safeValidate(lex(input));
  if (!result.success) throw invalidRequest(result.reason.message);
  return input as Input; // the schema of the call is the one that was checked
}

const repo = l.string({ format: 'at-identifier' });
const collection = l.string({ format: 'nsid' });
const rkey = l.string({ format: 'record-key', maxLength: 512 });
const validate = l.optional(l.boolean());
const swapCommit = l.optional(l.string({ format: 'cid' }));
const create = l.typedObject(
  'com.atproto.repo.applyWrites',
  'create',
  l.object({ collection, rkey: l.optional(rkey), value: l.lexMap() }),
);

const INPUTS = {
  putRecord: l.object({
    repo,
    collection,
    rkey,
    validate,
    record: l.lexMap(),
    swapRecord: l.optional(l.nullable(l.string({ format: 'cid' }))),
    swapCommit,
  }),
  createRecord: l.object({
    repo,
    collection,
    rkey: l.optional(rkey),
    validate,
    record: l.lexMap(),
    swapCommit,
  }),
  applyWrites: l.object({
    repo,
    validate,
    writes: l.array(l.typedUnion([l.typedRef(() => create)], true)),
    swapCommit,
  }),
  getRecord: l.object({ repo, collection, rkey, cid: l.optional(l.string({ format: 'cid' })) }),
  listRecords: l.object({
    repo,
    collection,
    limit: l.integer({ minimum: 1, maximum: 100 }),
    cursor: l.optional(l.string()),
  }),
  getBlob: l.object({
    did: l.string({ format: 'did' }),
    cid: l.string({ format: 'cid' }),
  }),
} as const;

type CallName = keyof typeof INPUTS;

/** A token ends with the process. */
const SECRET = randomBytes(32);

function createTestSessions(password: string) {
  return {
    /** The session's token. */
    create(did: string | null, given: string): string {
      if (did === null || !isSame(given, password)) {
        throw new XrpcError(401, 'AuthenticationRequired', 'Invalid identifier or password');
      }
      return `${Buffer.from(did).toString('base64url')}.${sign(did)}`;
    },
    /** The DID that the request is authorized for. */
    didOf(authorization: string | undefined): string {
      if (authorization === undefined) {
        throw new XrpcError(401, 'AuthMissing', 'Authentication Required');
      }
      const [, encoded = '', signature = ''] =
        /^Bearer ([\w-]+)\.([\w-]+)$/i.exec(authorization) ?? [];
      const did = Buffer.from(encoded, 'base64url').toString();
      if (!isSame(signature, sign(did))) {
        throw invalidRequest('Token could not be verified', 'InvalidToken');
      }
      return did;
    },
  };
}

function sign(text: string): string {
  return createHmac('sha256', SECRET).update(text).digest('base64url');
}

function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sign(given)), Buffer.from(sign(expected)));
}

/** PostgreSQL's text cannot hold it. */
function hasNul(text: string): boolean {
  return text.includes('\0');
}

/** JSON is parsed by the handler, after the session was checked, as the reference PDS does. */
function acceptBytes(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_, body, done) => done(null, body));
}

function bytesOf({ body }: FastifyRequest): Buffer {
  if (!Buffer.isBuffer(body) || body.length === 0) {
    throw invalidRequest('A request body is expected but none was provided');
  }
  return body;
}

function typeOf({ headers }: FastifyRequest): string {
  const [type = ''] = (headers['content-type'] ?? '').split(';', 1);
  if (type === '')
    throw invalidRequest('Request encoding (Content-Type) required but not provided');
  return type.trim().toLowerCase();
}

function jsonBody(request: FastifyRequest): Record<string, unknown> {
  const bytes = bytesOf(request);
  const type = typeOf(request);
  if (type !== 'application/json') {
    throw invalidRequest(`Wrong request encoding (Content-Type): ${type}`);
  }
  const value = parsed(bytes.toString('utf8'));
  if (typeof value === 'object' && value !== null) return { ...value };
  throw invalidRequest('The request body is no JSON object');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidRequest(error instanceof Error ? error.message : '', 'SyntaxError');
  }
}

function sendXrpcErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => {
    const refusal = error instanceof XrpcError ? error : tooLarge(error, request);
    if (refusal === null) return sendError(error, request, reply);
    const { status, error: word, message } = refusal;
    return reply.code(status).send({ error: word, message });
  });
}

/** The reference PDS has a word of its own for blobs. */
function tooLarge(error: unknown, { routeOptions }: FastifyRequest): XrpcError | null {
  const isTooLarge =
    error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
  const isBlob = routeOptions.bodyLimit === MAX_BLOB_BYTES;
  const word = isBlob ? 'PayloadTooLarge' : 'PayloadTooLargeError';
  return isTooLarge ? new XrpcError(413, word, 'request entity too large') : null;
}
