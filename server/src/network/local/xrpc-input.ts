import { jsonToLex } from '@atproto/lex-json';
import { l } from '@atproto/lex-schema';
import { post } from './post-lexicon.ts';
import { invalidRequest } from './xrpc-error.ts';

/**
 * What calls and records have to look like. The validator is that of the reference PDS, so its
 * messages are the network's own.
 */

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
    limit: l.optional(l.integer({ minimum: 1, maximum: 100 })),
    cursor: l.optional(l.string()),
    reverse: l.optional(l.boolean()),
  }),
  getBlob: l.object({
    did: l.string({ format: 'did' }),
    cid: l.string({ format: 'cid' }),
  }),
} as const;

export type CallName = keyof typeof INPUTS;

/** Refuses what the call's schema refuses. */
export function checkInput(call: CallName, input: unknown): void {
  const result = INPUTS[call].safeValidate(lex(input));
  if (!result.success) throw invalidRequest(result.reason.message);
}

/** Refuses a record that breaks the lexicon of posts. `path` leads to it in the request. */
export function checkPost(record: unknown, key: string, path: (string | number)[]): void {
  const checkedKey = post.keySchema.safeValidate(key);
  if (!checkedKey.success) {
    throw invalidRequest(`Invalid record key for ${post.$type}: ${checkedKey.reason.message}`);
  }
  const checked = post.safeValidate(lex(record), { path });
  if (!checked.success) {
    throw invalidRequest(`Invalid ${post.$type} record: ${checked.reason.message}`);
  }
}

function lex(json: unknown) {
  // It came from JSON.parse, or is about to go through JSON.stringify.
  return jsonToLex(json as Parameters<typeof jsonToLex>[0]);
}
