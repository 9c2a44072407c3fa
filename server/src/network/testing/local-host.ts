import { setTimeout as delay } from 'node:timers/promises';
import { fastify } from 'fastify';
import { openDatabase } from '../../db/database.ts';
import type { PreparedRecord, StoredRecord } from '../local/local-repo.ts';
import type { Account } from '../network.ts';
import type { TestStore } from './test-repo.ts';
import { createTestTableStore } from './test-table-store.ts';
import { xrpcRoutes } from './xrpc.routes.ts';

/** Goes wrong before the write, or after it. */
export type Fault = 'refuse_before' | 'error_after' | 'cut_after' | 'slow' | null;

/** A record that was written, at its first time by the clock of this process. */
export type Arrival = { did: string; rkey: string; text: string; at: number };

export type LocalHostOptions = {
  /** In memory unless given. */
  store?: TestStore;
  port?: number;
  /** Every call takes at least this long. */
  delayMs?: number;
  /** Asked before every call; `slow` never responds. */
  fault?: (path: string) => Fault;
};

export type LocalHostReport = {
  requests: number;
  arrivals: Arrival[];
  /** Texts that one account has published more than once, and how often. */
  duplicates: { did: string; text: string; count: number }[];
};

export type LocalHost = {
  url: string;
  report(): LocalHostReport;
  /** The headers of a session, for `createHeaderNetwork`. */
  authorize(account: Pick<Account, 'did'>): Promise<Record<string, string>>;
  close(): Promise<void>;
};

const LOCAL_HOST_PASSWORD = 'local-host';

/** A host of the network on a port of its own, with faults on demand, that reports what arrived. */
export async function startLocalHost(options: LocalHostOptions = {}): Promise<LocalHost> {
  const { store = createMemoryStore(), delayMs = 0, fault = () => null } = options;
  const arrivals: Arrival[] = [];
  let requests = 0;
  const app = fastify({ forceCloseConnections: true });
  const report = () => ({ requests, arrivals, duplicates: duplicatesOf(arrivals) });

  app.get('/report', async () => report());
  await app.register(async (scope) => {
    scope.addHook('preHandler', async ({ url }, reply) => {
      if (url === SIGN_IN) return undefined;
      requests += 1;
      if (delayMs > 0) await delay(delayMs);
      const injected = fault(url);
      if (injected === 'refuse_before') {
        return reply.code(503).send({ error: 'ServiceUnavailable', message: 'Refused by a test' });
      }
      if (injected !== null) faults.set(reply.raw, injected);
      return undefined;
    });
    scope.addHook('preSerialization', async (_, reply, body) => {
      const injected = faults.get(reply.raw);
      if (injected === 'cut_after') reply.raw.destroy();
      if (injected === 'slow') await new Promise((resolve) => reply.raw.once('close', resolve));
      if (injected !== 'error_after') return body;
      reply.code(502);
      return { error: 'UpstreamFailure', message: 'Failed by a test' };
    });
    xrpcRoutes(scope, reporting(store, arrivals), LOCAL_HOST_PASSWORD);
  });
  const url = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  return { url, report, authorize: sessionsOf(url), close: () => app.close() };
}

const faults = new WeakMap<object, Fault>();
const SIGN_IN = '/xrpc/com.atproto.server.createSession';

/** Every record that is new, once its write has been committed. */
function reporting(store: TestStore, arrivals: Arrival[]): TestStore {
  return {
    ...store,
    async insert(did, records) {
      const isNew = await store.insert(did, records);
      const at = Date.now();
      if (isNew) {
        arrivals.push(
          ...records.map(({ rkey, record }) => ({ did, rkey, text: String(record['text']), at })),
        );
      }
      return isNew;
    },
  };
}

function duplicatesOf(arrivals: readonly Arrival[]) {
  const byPost = Map.groupBy(arrivals, ({ did, text }) => JSON.stringify([did, text]));
  return [...byPost.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined || same.length < 2) return [];
    return [{ did: first.did, text: first.text, count: same.length }];
  });
}

/** One session per account, as long as the host runs. */
function sessionsOf(url: string): LocalHost['authorize'] {
  const tokens = new Map<string, Promise<string>>();
  const signIn = async (identifier: string) => {
    const response = await fetch(url + SIGN_IN, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ identifier, password: LOCAL_HOST_PASSWORD }),
    });
    const { accessJwt } = (await response.json()) as { accessJwt: string };
    return accessJwt;
  };
  return async ({ did }) => {
    const token = tokens.get(did) ?? signIn(did);
    tokens.set(did, token);
    return { authorization: `Bearer ${await token}` };
  };
}

/** Repositories without a database: a host whose own costs are small, for measuring. Any DID exists. */
function createMemoryStore(): TestStore {
  const records = new Map<string, StoredRecord>();
  const blobs = new Map<string, { mimeType: string; bytes: Uint8Array }>();
  const put = (did: string, record: PreparedRecord) => records.set(keyOf(did, record), record);

  return {
    async insert(did, added) {
      const keys = new Set(added.map((record) => keyOf(did, record)));
      if (keys.size < added.length || [...keys].some((key) => records.has(key))) return false;
      for (const record of added) put(did, record);
      return true;
    },
    async replace(did, cid, record) {
      if (records.get(keyOf(did, record))?.cid !== cid) return false;
      put(did, record);
      return true;
    },
    find: async (key) => records.get(keyOf(key.did, key)) ?? null,
    async list(did, collection, { limit, cursor }) {
      const prefix = keyOf(did, { collection, rkey: '' });
      const found = [...records].filter(([key]) => key.startsWith(prefix)).map(([, one]) => one);
      found.sort((a, b) => (a.rkey < b.rkey ? 1 : -1));
      return found.filter(({ rkey }) => cursor === null || rkey < cursor).slice(0, limit);
    },
    async insertBlob(did, { cid, mimeType, bytes }) {
      blobs.set(`${did}/${cid}`, { mimeType, bytes });
    },
    findBlobs: async (did, cids) =>
      cids.flatMap((cid) => {
        const blob = blobs.get(`${did}/${cid}`);
        if (blob === undefined) return [];
        return [{ cid, mimeType: blob.mimeType, size: blob.bytes.length, isReferenced: false }];
      }),
    readBlob: async (did, cid) => blobs.get(`${did}/${cid}`) ?? null,
    findDid: async (identifier) => (identifier.startsWith('did:') ? identifier : null),
  };
}

function keyOf(did: string, { collection, rkey }: { collection: string; rkey: string }): string {
  return `${did}/${collection}/${rkey}`;
}

/** Run by itself: `PORT`, `DELAY_MS` and `DATABASE_URL` (else memory); prints its address. */
if (import.meta.main) {
  const { DATABASE_URL: connectionString, PORT, DELAY_MS } = process.env;
  const db =
    connectionString === undefined
      ? null
      : openDatabase(
          { connectionString },
          { onError: (error) => process.stderr.write(`${error}\n`) },
        );
  const { url } = await startLocalHost({
    port: Number(PORT ?? 0),
    delayMs: Number(DELAY_MS ?? 0),
    ...(db !== null && { store: createTestTableStore(db) }),
  });
  process.stdout.write(`${url}\n`);
}
