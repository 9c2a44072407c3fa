import { Client } from 'pg';
import { startEngine } from '../../server/src/engine/engine.ts';
import { createLog } from '../../server/src/log.ts';
import { newRkey } from '../../server/src/network/identity.ts';
import { POST_COLLECTION } from '../../server/src/network/network.ts';
import type {
  Account,
  Network,
  NetworkResponse,
  RecordWrite,
} from '../../server/src/network/network.ts';
import { createHeaderNetwork } from '../../server/src/network/testing/header-network.ts';
import { createLocalStore } from '../../server/src/objects/local-store.ts';
import { publicUrls } from '../../server/src/objects/object-store.ts';
import { KILL_HEADER } from './kill-points.ts';
import type { KillPoint } from './kill-points.ts';

/** An engine in a process of its own that dies where its environment says. */
const { DATABASE_URL = '', LEASE_MS = '', KILL_AT, KILL_AFTER = '1', MUTATION } = process.env;

let passesLeft = Number(KILL_AFTER);
function isLastPass(point: KillPoint): boolean {
  if (point !== KILL_AT) return false;
  passesLeft -= 1;
  return passesLeft === 0;
}
function pass(point: KillPoint): void {
  if (isLastPass(point)) process.kill(process.pid, 'SIGKILL');
}

/** The statements of the journal and of the settlement are known by their text. */
const query: unknown = Reflect.get(Client.prototype, 'query');
if (typeof query !== 'function') throw new Error('The driver has no query');
Reflect.set(Client.prototype, 'query', function watched(this: Client, ...args: unknown[]) {
  const [statement] = args;
  const isObject = typeof statement === 'object' && statement !== null && 'text' in statement;
  const text = isObject ? String(statement.text) : '';
  const isJournal = text.includes('insert into deliveries');
  if (isJournal) pass('before the journal');
  const result: unknown = Reflect.apply(query, this, args);
  if (!isJournal && !text.includes('set sent_at =')) return result;
  return Promise.resolve(result).then((done: unknown) => {
    pass(isJournal ? 'after the journal' : 'after it is settled');
    return done;
  });
});

const overHttp = (headers: Record<string, string>) =>
  createHeaderNetwork({ authorize: async () => headers });
const pds = overHttp({});
/** The host kills this process instead of responding. */
const fatal = overHttp({ [KILL_HEADER]: String(process.pid) });

async function write(send: (network: Network) => Promise<NetworkResponse>) {
  pass('after the last look');
  const isFatal = isLastPass('after the send, before the response');
  const response = await send(isFatal ? fatal : pds);
  // A request that the host refuses, or that does not reach it, does not kill this process there.
  if (isFatal) process.kill(process.pid, 'SIGKILL');
  pass('after the response, before it is settled');
  return response;
}

/** The host chooses the key, so that a repetition is another record. */
async function createRecord({ host, did }: Account, { record }: RecordWrite) {
  try {
    const response = await fetch(`${host}/xrpc/com.atproto.repo.createRecord`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ repo: did, collection: POST_COLLECTION, record }),
    });
    const { status } = response;
    const body: unknown = await response.json();
    return { kind: 'response', status, error: null, message: null, body, retryAt: null } as const;
  } catch {
    return { kind: 'no_response', reason: 'cut', status: null } as const;
  }
}

const network: Network = {
  ...pds,
  putRecord: (account, record) =>
    write((to) => {
      if (MUTATION === 'createRecord') return createRecord(account, record);
      const isRenewed = MUTATION === 'a new key per attempt';
      return to.putRecord(account, isRenewed ? { ...record, rkey: newRkey() } : record);
    }),
  applyWrites: (account, writes) => write((to) => to.applyWrites(account, writes)),
};

await startEngine({
  // A busy machine connects more slowly than production lets it.
  connection: {
    connectionString: DATABASE_URL,
    connectionTimeoutMillis: 60_000,
    statement_timeout: 60_000,
    query_timeout: 70_000,
  },
  network,
  // No post of the test has a picture.
  objects: createLocalStore({ root: '/nonexistent', publicUrl: publicUrls('/cdn/') }),
  options: {
    concurrency: 64,
    hostConcurrency: 16,
    hostPerSecond: Infinity,
    egress: 'test',
    lookaheadMs: 1_500,
    leaseMs: Number(LEASE_MS),
    lateLimitMs: 3_600_000,
    retryWindowMs: 600_000,
  },
  log: createLog('error'),
  version: 'test',
});
process.stdout.write('ready\n');
