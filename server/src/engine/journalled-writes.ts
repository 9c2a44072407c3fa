import { cidOfRecord } from '../network/identifiers.ts';
import type { RecordWrite } from '../network/network.ts';

/** Another program that publishes (docs/integration.md) journals no CID, and any object as a record. */
export type JournalledWrite = Omit<RecordWrite, 'cid'> & { cid?: unknown };

export function withCids(writes: readonly JournalledWrite[]): RecordWrite[] {
  return writes.map(({ cid, ...write }) => ({
    ...write,
    cid: typeof cid === 'string' ? cid : cidIfAny(write.record),
  }));
}

/** Empty, and so the one of no record, for what DAG-CBOR cannot hold: a host refuses that too. */
function cidIfAny(record: unknown): string {
  try {
    return cidOfRecord(record);
  } catch {
    return '';
  }
}
