import { createHash } from 'node:crypto';

/**
 * A piece of SQL with its values apart from its text. Made only by the `sql` tag, so a value
 * can never become text: `chunks` has exactly one entry more than `values`.
 */
export class Sql {
  readonly chunks: readonly string[];
  readonly values: readonly unknown[];

  constructor(chunks: readonly string[], values: readonly unknown[]) {
    this.chunks = chunks;
    this.values = values;
  }

  get text(): string {
    return this.chunks.reduce((text, chunk, index) => `${text}$${index}${chunk}`);
  }
}

/**
 * sql`select id from users where status = ${status} ${filter}`: every `${}` becomes a parameter,
 * except another fragment, which is spliced in. An array is one parameter: `= any(${ids})`.
 */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  const chunks = [strings[0] ?? ''];
  const values: unknown[] = [];
  const append = (text: string) => chunks.push((chunks.pop() ?? '') + text);
  for (const [index, part] of parts.entries()) {
    if (part instanceof Sql) {
      append(part.chunks[0] ?? '');
      chunks.push(...part.chunks.slice(1));
      values.push(...part.values);
    } else {
      // The driver reads `undefined` as NULL, which would hide a forgotten value.
      if (part === undefined) throw new TypeError('A value in a query is undefined');
      chunks.push('');
      values.push(part);
    }
    append(strings[index + 1] ?? '');
  }
  return new Sql(chunks, values);
}

const EMPTY = new Sql([''], []);
const COMMA = new Sql([', '], []);
sql.empty = EMPTY;

/** Fragments in a row: `where ${sql.join(conditions, sql` and `)}`. */
sql.join = function join(fragments: readonly Sql[], separator: Sql = COMMA): Sql {
  const [first = EMPTY, ...rest] = fragments;
  return rest.reduce((all, fragment) => sql`${all}${separator}${fragment}`, first);
};

/** A value for a json or jsonb column. Needed for arrays, which the driver would send as SQL arrays. */
sql.json = function json(value: unknown): string {
  return JSON.stringify(value);
};

/**
 * A whole number as part of the text: for LIMIT, where the planner has to know how few rows are
 * wanted. Each number makes a statement of its own, so only for numbers from a small range.
 */
sql.whole = function whole(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new TypeError('A limit in a query is no whole number');
  return new Sql([String(value)], []);
};

// Enough for every statement of the code; a text built around a list of varying length stays unnamed.
const MAX_NAMED_STATEMENTS = 500;
const names = new Map<string, string>();

/** The name under which this text is prepared once per connection; undefined when the table is full. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMED_STATEMENTS) return undefined;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  names.set(text, name);
  return name;
}
