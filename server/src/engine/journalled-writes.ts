import { propertyOf } from '@meridian/contract/untrusted';
import { cidIfAny } from '../network/identifiers.ts';
import type { PostRecord, RecordWrite } from '../network/network.ts';

/** A host that gets no key invents one at every attempt. */
const RECORD_KEY = /^(?!\.{1,2}$)[A-Za-z0-9._:~-]{1,512}$/u;

/** Another program that publishes (docs/integration.md) may journal any JSON; `flawOf` judges it. */
export function readWrites(stored: unknown): RecordWrite[] {
  if (!Array.isArray(stored)) return [];
  return stored.map((write: unknown) => {
    const [rkey, record] = [propertyOf(write, 'rkey'), propertyOf(write, 'record')];
    // Nothing but a call that sends it reads the record.
    return { rkey: textOf(rkey), cid: cidIfAny(record), record: record as PostRecord };
  });
}

/** Why the writes of a journal entry cannot be sent; null when they can. */
export function flawOf(writes: readonly RecordWrite[]): string | null {
  if (writes.length === 0) return 'its journal entry names no record';
  for (const { rkey, record, cid } of writes) {
    if (!isRecordKey(rkey)) return 'a record in its journal entry has no valid record key';
    const isObject = typeof record === 'object' && record !== null && !Array.isArray(record);
    if (!isObject) return 'a record in its journal entry is no object';
    if (cid === '') return 'a record in its journal entry cannot be encoded';
  }
  return null;
}

/** For a look alone: the record itself is lost. */
export const unknownRecord = (rkey: string): RecordWrite => ({
  rkey,
  cid: '',
  record: null as unknown as PostRecord,
});

/** The part of a situation by which a host's record is known to be ours. */
export const ownOf = ({ cid, record }: RecordWrite) => ({ ownCid: cid, ownRecord: record });

export const isRecordKey = (rkey: string) => RECORD_KEY.test(rkey);

/** As the journal names them, for people. */
export function shownWrites(stored: unknown): Pick<RecordWrite, 'rkey' | 'cid'>[] {
  if (!Array.isArray(stored)) return [];
  return stored.map((write: unknown) => ({
    rkey: textOf(propertyOf(write, 'rkey')),
    cid: textOf(propertyOf(write, 'cid')) || cidIfAny(propertyOf(write, 'record')),
  }));
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
