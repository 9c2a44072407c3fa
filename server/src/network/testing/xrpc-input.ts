import { l } from '@atproto/lex-schema';
import { lex } from '../local/post-lexicon.ts';
import { invalidRequest } from '../local/local-repo.ts';

/** What calls have to look like. */

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
