import { createHash } from 'node:crypto';
import type { Db } from '../db/database.ts';
import { sql } from '../db/sql.ts';

export type Link = { id: bigint; hash: string };

const START: Link = { id: 0n, hash: '00'.repeat(32) };
/** Every id is larger, so that an entry with a negative one is found too. */
const BEFORE_ALL = -(2n ** 63n);
const BATCH = 1000;
/** A chain of a million broken entries must not fill the memory. */
const MAX_LISTED = 1000;

/**
 * Each entry is checked against the stored hash of the one before, so that an altered one is a single flaw.
 * `seen` are entries that an earlier run printed; a chain that was rewritten does not match them.
 */
export async function verifyChain(db: Db, seen: readonly Link[] = []) {
  const flaws: string[] = [];
  let [entries, unlisted, last] = [0, 0, START];
  const add = (found: readonly string[]) => {
    const listed = found.slice(0, MAX_LISTED - flaws.length);
    flaws.push(...listed);
    unlisted += found.length - listed.length;
  };
  // One number may come with several hashes.
  const unmet = Map.groupBy(seen, ({ id }) => String(id));
  let batch: ChainedEntry[];
  let cursor = BEFORE_ALL;
  do {
    batch = await listEntries(db, cursor);
    for (const entry of batch) {
      add(flawsOf(entry, last));
      const isAsSeen = unmet.get(entry.id)?.every(({ hash }) => hash === entry.hash) ?? true;
      if (!isAsSeen) add([`Entry ${entry.id} is not the one given with --seen`]);
      unmet.delete(entry.id);
      cursor = BigInt(entry.id);
      if (cursor > last.id) last = { id: cursor, hash: entry.hash };
    }
    entries += batch.length;
  } while (batch.length === BATCH);
  add(await endFlaws(db, last));
  add([...unmet.keys()].map((id) => `Entry ${id}, given with --seen, is missing`));
  return { entries, last, flaws, unlisted };
}

/** Every field is hashed in the text form of the database. */
type ChainedEntry = {
  id: string;
  at: string;
  actor_id: string | null;
  actor_name: string;
  action: string;
  entity: string;
  entity_id: string | null;
  before: string | null;
  after: string | null;
  request_id: string | null;
  network: string | null;
  reason: string | null;
  batch: string | null;
  previous_hash: string;
  hash: string;
};

async function listEntries(db: Db, after: bigint): Promise<ChainedEntry[]> {
  return db.many<ChainedEntry>(sql`
    select id::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at,
           actor_id::text, actor_name, action, entity, entity_id, before::text, after::text,
           request_id::text, network, reason, batch::text,
           encode(previous_hash, 'hex') as previous_hash, encode(hash, 'hex') as hash
    from audit_log where audit_log.id > ${String(after)}::bigint order by audit_log.id
    limit ${sql.whole(BATCH)}`);
}

function flawsOf(entry: ChainedEntry, before: Link): string[] {
  const id = BigInt(entry.id);
  if (id <= before.id) return [`Entry ${id} does not belong to the chain`];
  const flaws = [];
  // A gap is one flaw, not two.
  if (id > before.id + 1n) flaws.push(missing(before.id + 1n, id - 1n));
  else if (entry.previous_hash !== before.hash) {
    flaws.push(`Entry ${id} does not follow the one before`);
  }
  if (entry.hash !== hashOf(entry)) flaws.push(`Entry ${id} is not as it was written`);
  return flaws;
}

/** The hash is computed independently of the trigger that wrote the entry. */
function hashOf(entry: ChainedEntry): string {
  const fields = [
    entry.id,
    entry.at,
    entry.actor_id,
    entry.actor_name,
    entry.action,
    entry.entity,
    entry.entity_id,
    entry.before,
    entry.after,
    entry.request_id,
    entry.network,
    // Two nulls are left out: entries from before these columns are hashed the same way.
    ...(entry.reason === null && entry.batch === null ? [] : [entry.reason, entry.batch]),
  ];
  return createHash('sha256')
    .update(Buffer.from(entry.previous_hash, 'hex'))
    .update(fields.map((field) => field ?? '').join('\n'))
    .digest('hex');
}

async function endFlaws(db: Db, last: Link): Promise<string[]> {
  const head = await db.maybeOne<{ lastId: string; hash: string }>(sql`
    select last_id::text as "lastId", encode(hash, 'hex') as hash from audit_head`);
  if (head === null) return ['audit_head, which keeps the end of the chain, is empty'];
  const id = BigInt(head.lastId);
  if (id > last.id) return [missing(last.id + 1n, id)];
  const isHead = id === last.id && head.hash === last.hash;
  return isHead ? [] : ['The end of the chain that audit_head keeps is not the last entry'];
}

function missing(first: bigint, last: bigint): string {
  return first === last ? `Entry ${first} is missing` : `Entries ${first} to ${last} are missing`;
}

/** Creating an administrator is always recorded. */
export async function emptinessFlaws(db: Db, entries: number): Promise<string[]> {
  if (entries > 0) return [];
  const { hasAdmins } = await db.one<{ hasAdmins: boolean }>(
    sql`select exists (select from admins) as "hasAdmins"`,
  );
  return hasAdmins ? ['The audit log is empty, although an administrator was created'] : [];
}

const TRIGGERS = [
  ['audit_log', 'audit_log_chain', 'chain_audit_entry'],
  ['audit_log', 'audit_log_head', 'advance_audit_head'],
  ['audit_log', 'audit_log_append_only', 'refuse_audit_change'],
  ['audit_head', 'audit_head_follows', 'refuse_audit_head_change'],
  ['audit_head', 'audit_head_stays', 'refuse_audit_change'],
] as const;

export async function protectionFlaws(db: Db): Promise<string[]> {
  const found = await listTriggers(db);
  const foreign = found.filter(({ name }) => !TRIGGERS.some(([, known]) => known === name));
  return [
    ...TRIGGERS.flatMap(([table, name, calls]) => {
      const trigger = found.find((one) => one.table === table && one.name === name);
      if (trigger?.calls !== calls || trigger.isConditional) {
        return [`The trigger ${name}, which protects ${table}, is missing`];
      }
      return trigger.mode === 'A'
        ? []
        : [`The trigger ${name}, which protects ${table}, is not always enabled`];
    }),
    ...foreign.map(({ name, table }) => `The trigger ${name} of ${table} is not Meridian's`),
    ...(await tableFlaws(db)),
  ];
}

type TriggerRow = {
  table: string;
  name: string;
  calls: string;
  /** A stands for always, O for all but replicating sessions, D for disabled. */
  mode: string;
  isConditional: boolean;
};

async function listTriggers(db: Db): Promise<TriggerRow[]> {
  return db.many<TriggerRow>(sql`
    select c.relname as table, t.tgname as name, p.proname as calls,
           t.tgenabled as mode, t.tgqual is not null as "isConditional"
    from pg_trigger t join pg_class c on c.oid = t.tgrelid join pg_proc p on p.oid = t.tgfoid
    where t.tgrelid in ('audit_log'::regclass, 'audit_head'::regclass) and not t.tgisinternal`);
}

type TableRow = {
  table: string;
  hasRules: boolean;
  hasRowSecurity: boolean;
  hasRelatives: boolean;
};

/** Features besides triggers can make a statement miss rows. */
async function tableFlaws(db: Db): Promise<string[]> {
  const tables = await db.many<TableRow>(sql`
    select relname as table, relhasrules as "hasRules", relrowsecurity as "hasRowSecurity",
           exists (select from pg_inherits where c.oid in (inhrelid, inhparent)) as "hasRelatives"
    from pg_class c where oid in ('audit_log'::regclass, 'audit_head'::regclass)
    order by relname`);
  return tables
    .flatMap(({ table, hasRules, hasRowSecurity, hasRelatives }) => [
      hasRules && `${table} has rules, which can replace what is written to it`,
      hasRowSecurity && `${table} has row security, which can hide entries`,
      hasRelatives && `${table} inherits from a table, or a table from it`,
    ])
    .filter((flaw) => flaw !== false);
}
