import { setTimeout as delay } from 'node:timers/promises';
import type { Db } from '../../db/database.ts';
import { DatabaseUnavailable, isServerError } from '../../db/errors.ts';
import { POST_COLLECTION } from '../network.ts';
import type { Network, NetworkResponse, RecordWrite } from '../network.ts';
import { createTableStore } from './local-records.store.ts';
import { createLocalRepo } from './local-repo.ts';
import { XrpcError } from './xrpc-error.ts';

/** What a test makes go wrong: before the write, or after it. */
export type Fault = 'refuse_before' | 'error_after' | 'cut_after' | 'slow' | null;

type CallName = 'putRecord' | 'applyWrites' | 'getRecord' | 'uploadBlob';

export type LocalNetworkOptions = {
  /** Asked before every call. */
  fault?: (call: CallName) => Fault;
  /** How long a slow call takes before it counts as timed out. */
  slowMs?: number;
};

/** The host of every account on the local network. */
const LOCAL_HOST = 'local';

/** The local network without HTTP: records go straight into the tables. Nothing leaves the machine. */
export function createLocalNetwork(db: Db, options: LocalNetworkOptions = {}): Network {
  const { fault = () => null, slowMs = 8_000 } = options;
  const repo = createLocalRepo(createTableStore(db));

  async function call(name: CallName, work: () => Promise<object>): Promise<NetworkResponse> {
    const injected = fault(name);
    if (injected === 'refuse_before') return failed(503, 'ServiceUnavailable', 'Refused by a test');
    const result = await respond(work);
    if (injected === 'error_after') return failed(502, 'UpstreamFailure', 'Failed by a test');
    if (injected === 'cut_after') return unclear('cut');
    if (injected !== 'slow') return result;
    await delay(slowMs);
    return unclear('timeout');
  }

  return {
    name: 'local',
    defaultHost: LOCAL_HOST,
    putRecord: ({ did }, write) =>
      call('putRecord', () => repo.putRecord(did, { ...recordInput(write), swapRecord: null })),
    applyWrites: ({ did }, writes) =>
      call('applyWrites', () => repo.applyWrites(did, writes.map(recordInput))),
    getRecord: (_, did, rkey) =>
      call('getRecord', () => repo.getRecord({ did, collection: POST_COLLECTION, rkey })),
    uploadBlob: ({ did }, bytes, mimeType) =>
      call('uploadBlob', () => repo.uploadBlob(did, bytes, mimeType)),
    close: async () => {},
  };
}

function recordInput({ rkey, record }: RecordWrite) {
  return { collection: POST_COLLECTION, rkey, record, validate: true };
}

async function respond(work: () => Promise<object>): Promise<NetworkResponse> {
  try {
    const body = await work();
    return { kind: 'response', status: 200, error: null, message: null, body, retryAt: null };
  } catch (error) {
    if (error instanceof XrpcError) return failed(error.status, error.error, error.message);
    if (isServerError(error)) return failed(500, 'InternalServerError', 'Internal Server Error');
    // The statement may have been carried out: the same as a connection that ended early.
    if (error instanceof DatabaseUnavailable) return unclear('cut');
    throw error;
  }
}

function failed(status: number, error: string, message: string): NetworkResponse {
  return { kind: 'response', status, error, message, body: { error, message }, retryAt: null };
}

function unclear(reason: 'cut' | 'timeout'): NetworkResponse {
  return { kind: 'no_response', reason, status: null };
}
