import type { Db } from '../db/database.ts';
import { countAdmins, listOddities, listTriggers } from './audit.store.ts';
import type { TableOddity, TriggerRow } from './audit.store.ts';

/** The triggers that protect the log, and the function each of them calls. */
const TRIGGERS = [
  ['audit_log', 'audit_log_chain', 'chain_audit_entry'],
  ['audit_log', 'audit_log_head', 'advance_audit_head'],
  ['audit_log', 'audit_log_append_only', 'refuse_audit_change'],
  ['audit_head', 'audit_head_follows', 'refuse_audit_head_change'],
  ['audit_head', 'audit_head_stays', 'refuse_audit_change'],
] as const;

/** Missing or changed protection: meanwhile entries could have been altered. */
export async function protectionFlaws(db: Db): Promise<string[]> {
  const found = await listTriggers(db);
  const foreign = found.filter(({ name }) => !TRIGGERS.some(([, known]) => known === name));
  return [
    ...missingTriggers(found),
    ...foreign.map(
      ({ name, table_name }) => `The trigger ${name} of ${table_name} is not Meridian's`,
    ),
    ...(await listOddities(db)).flatMap(oddityFlaws),
  ];
}

function oddityFlaws(found: TableOddity): string[] {
  const { table_name: table } = found;
  return [
    ...(found.has_rules ? [`${table} has rules, which can replace what is written to it`] : []),
    ...(found.has_row_security ? [`${table} has row security, which can hide entries`] : []),
    ...(found.has_relatives ? [`${table} inherits from a table, or a table from it`] : []),
  ];
}

/** Triggers that are gone or switched off. */
function missingTriggers(found: readonly TriggerRow[]): string[] {
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
