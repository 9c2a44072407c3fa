import type { Db } from '../db/database.ts';
import { countAdmins, listTriggers } from './audit.store.ts';

/** The triggers that protect the log, and the function each of them calls. */
const TRIGGERS = [
  ['audit_log', 'audit_log_chain', 'chain_audit_entry'],
  ['audit_log', 'audit_log_head', 'advance_audit_head'],
  ['audit_log', 'audit_log_append_only', 'refuse_audit_change'],
  ['audit_head', 'audit_head_follows', 'refuse_audit_head_change'],
  ['audit_head', 'audit_head_stays', 'refuse_audit_change'],
] as const;

/** Triggers that are gone or switched off: what they prevent could have been done meanwhile. */
export async function protectionFlaws(db: Db): Promise<string[]> {
  const found = await listTriggers(db);
  return TRIGGERS.flatMap(([table, name, calls]) => {
    const trigger = found.find((one) => one.table_name === table && one.name === name);
    if (trigger?.function_name !== calls || trigger.is_conditional) {
      return [`The trigger ${name}, which protects ${table}, is missing`];
    }
    return trigger.mode === 'A'
      ? []
      : [`The trigger ${name}, which protects ${table}, is not always enabled`];
  });
}

/** Creating an administrator is always recorded, by every way there is. */
export async function emptinessFlaws(db: Db, entries: number): Promise<string[]> {
  if (entries > 0 || (await countAdmins(db)) === 0) return [];
  return ['The audit log is empty, although an administrator was created'];
}
