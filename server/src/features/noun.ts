import type { BulkAction, BulkSelection, ConsequenceOf } from '@meridian/contract/bulk';
import { ERRORS } from '@meridian/contract/errors';
import type { ErrorCode } from '@meridian/contract/errors';
import type { EventTopic } from '@meridian/contract/events';
import type * as z from 'zod/mini';
import type { Author } from '../audit/audit.store.ts';
import type { Database, Db } from '../db/database.ts';
import type { ExpectedVersions, Sql } from '../db/sql.ts';
import { AppError } from '../http/errors.ts';

/**
 * A noun is described once, beside its service. Reversals, changes of many rows, files, search, events
 * and consequences are read from these descriptions in `nouns.ts`.
 */
export type Noun = {
  topics: readonly EventTopic[];
  reversal?: Reversal;
  consequences?: Partial<Record<ConsequenceOf, Sentences>>;
  /** Selects find results; a condition follows, for example on `id`. */
  found?: { select: Sql; id: Sql };
  file?: (filter: never) => ExportSource;
  many?: Partial<Record<BulkAction, ManyAction>>;
};

export type Fields = Readonly<Record<string, unknown>>;

export type Sentences = (db: Db, id: string) => Promise<string[]>;

/** Sets fields back through the service of the noun: its rules hold, and it writes the entry. */
export type Reversal = {
  /** The fields have the names of the audit log. */
  read(db: Database, id: string): Promise<{ version: number }>;
  write(db: Database, by: Author, stored: Stored, before: Fields): Promise<unknown>;
};

export type Stored = { id: string; version: number; state: Fields };

/** The rules of today decide whether former values still fit. */
export function parsed<S extends z.ZodMiniType>(schema: S, value: Fields): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw new AppError('entry_final', { cause: result.error });
  return result.data;
}

/** The columns of a file are those of the select list. */
export type ExportSource = (tx: Db) => Promise<Sql> | Sql;

/** A table whose rows can be changed many at a time. In its fragments `t` is the row. */
export type Rows = {
  table: Sql;
  state: Sql;
  /** A label that administrators know and, of a text, its languages. */
  example: Sql;
  joins: Sql;
  notFound: ErrorCode;
  matching: (db: Db, selection: BulkSelection) => Promise<Sql>;
};

export type ManyAction = {
  rows: Rows;
  batch: number;
  state: Sql;
  /** The reason to leave a row alone; null when it is changed. */
  refusal: (state: string, value: string | null) => string | null;
  /** The same where only a host knows: it is asked before the transaction. */
  look?: (db: Db, tools: ManyTools, id: string) => Promise<string | null>;
  was: Sql;
  /** The rows are locked and allowed. */
  change: (ids: readonly string[], value: string | null) => Sql;
  /** The sentences may name the sum of this over the rows. */
  weight?: Sql;
  sentences: (change: Affected) => (string | null)[];
};

/**
 * Throws why a post cannot be retried. With `iLooked` its member did not find it on the network, which
 * counts where the host does not say.
 */
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

/** Small enough that a list or the engine never waits for it noticeably. */
export const LARGEST_BATCH = 50;

/** The row, where one was found. */
export function required<Row>(row: Row | null, code: ErrorCode): Row {
  if (row === null) throw new AppError(code);
  return row;
}

/** Refuses a change that was made from another version than the stored one. */
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

/** `1 post`, `2,000 posts` */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
