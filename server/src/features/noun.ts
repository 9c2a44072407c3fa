import type { BulkAction, BulkSelection, ConsequenceOf } from '@meridian/contract/bulk';
import { ERRORS } from '@meridian/contract/errors';
import type { ErrorCode } from '@meridian/contract/errors';
import type { EventTopic } from '@meridian/contract/events';
import type * as z from 'zod/mini';
import type { Author } from '../audit/audit.store.ts';
import type { Database, Db } from '../db/database.ts';
import type { Sql } from '../db/sql.ts';
import { AppError } from '../http/errors.ts';
import type { RequireRetryable } from './posts/retry.ts';

/**
 * A noun is described once, beside its service. Reversals, changes of many rows, files, search, events
 * and consequences are read from these descriptions in `nouns.ts`.
 */
export type Noun = {
  /** An entry of the audit log about the noun concerns these topics. */
  topics: readonly EventTopic[];
  reversal?: Reversal;
  /** Sentences about a change of one row that reaches further than it shows. */
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
  /** Selects the `id` of every row that the list's filter matches. */
  matching: (db: Db, selection: BulkSelection) => Promise<Sql>;
};

/** One thing that can be done to many rows, by the rules of the call that does it to one. */
export type ManyAction = {
  rows: Rows;
  /** The rows of one transaction. */
  batch: number;
  /** The word of a row `t` that decides whether it is changed. */
  state: Sql;
  /** The reason to leave a row alone; null when it is changed. */
  refusal: (state: string, value: string | null) => string | null;
  /** The same where only a host knows: it is asked before the transaction. */
  look?: (db: Db, tools: ManyTools, id: string) => Promise<string | null>;
  /** The state of a row `t` before the change, for the audit log. */
  was: Sql;
  /** The rows are locked and allowed. */
  change: (ids: readonly string[], value: string | null) => Sql;
  /** The sentences may name the sum of this over the rows. */
  weight?: Sql;
  sentences: (change: Affected) => (string | null)[];
};

/** An action may need these besides the database. */
export type ManyTools = { requireRetryable: RequireRetryable };

export type Affected = {
  value: string | null;
  count: number;
  weight: number;
  in: (state: string) => number;
};

/** Small enough that a list or the engine never waits for it noticeably. */
export const LARGEST_BATCH = 50;

export function refuse(code: ErrorCode): string {
  return ERRORS[code].message;
}

/** `1 post`, `2,000 posts` */
export function counted(count: number, one: string, many: string): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}
