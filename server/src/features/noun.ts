import type { BulkAction, BulkSelection, ConsequenceOf } from '@meridian/contract/bulk';
import { ERRORS } from '@meridian/contract/errors';
import type { ErrorCode } from '@meridian/contract/errors';
import type { EventTopic } from '@meridian/contract/events';
import type * as z from 'zod/mini';
import type { Author } from '../audit/audit.store.ts';
import type { Database, Db } from '../db/database.ts';
import type { ExpectedVersions, Sql } from '../db/sql.ts';
import { AppError } from '../http/errors.ts';

/** The files, search, events and changes of many rows are read from these descriptions in `nouns.ts`. */
export type Noun = {
  topics: readonly EventTopic[];
  reversal?: Reversal;
  consequences?: Partial<Record<ConsequenceOf, Sentences>>;
  found?: { select: Sql; id: Sql };
  file?: (filter: never) => ExportSource;
  many?: Partial<Record<BulkAction, ManyAction>>;
};

export type Fields = Readonly<Record<string, unknown>>;

export type Sentences = (db: Db, id: string) => Promise<string[]>;

/** The service of the noun sets fields back: its rules hold, and it writes the entry. */
export type Reversal = {
  read(db: Database, id: string): Promise<{ version: number }>;
  write(db: Database, by: Author, stored: Stored, before: Fields): Promise<unknown>;
};

export type Stored = { id: string; version: number; state: Fields };

export function parsed<S extends z.ZodMiniType>(schema: S, value: Fields): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw new AppError('entry_final', { cause: result.error });
  return result.data;
}

export type ExportSource = (tx: Db) => Promise<Sql> | Sql;

/** In these fragments `t` is the row. */
export type Rows = {
  table: Sql;
  state: Sql;
  example: Sql;
  joins: Sql;
  notFound: ErrorCode;
  matching: (db: Db, selection: BulkSelection) => Promise<Sql>;
};

export type ManyAction = {
  rows: Rows;
  batch: number;
  state: Sql;
  refusal: (state: string, value: string | null) => string | null;
  /** Only a host knows this reason, and it is asked before the transaction. */
  look?: (db: Db, tools: ManyTools, id: string) => Promise<string | null>;
  was: Sql;
  change: (ids: readonly string[], value: string | null) => Sql;
  weight?: Sql;
  sentences: (change: Affected) => (string | null)[];
};

/** `iLooked` says that the member did not find it on the network, and counts where the host does not say. */
export type RequireRetryable = (
  db: Db,
  id: string,
  options?: { iLooked: boolean },
) => Promise<void>;

export type ManyTools = { requireRetryable: RequireRetryable };

export type Affected = {
  value: string | null;
  count: number;
  weight: number;
  in: (state: string) => number;
};

export const LARGEST_BATCH = 50;

export function required<Row>(row: Row | null, code: ErrorCode): Row {
  if (row === null) throw new AppError(code);
  return row;
}

export function requireVersion(
  expected: ExpectedVersions,
  { version }: { version: number },
  code: ErrorCode,
): void {
  if (expected?.includes(version) === false) throw new AppError(code);
}

export function refuse(code: ErrorCode): string {
  return ERRORS[code].message;
}

export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
