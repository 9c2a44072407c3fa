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
    return this.#prepared().text;
  }

  /** The name under which this text is prepared once per connection; undefined when there are too many. */
  get name(): string | undefined {
    return this.#prepared().name;
  }

  #prepared(): Prepared {
    const known = preparedOf.get(this.chunks);
    if (known !== undefined) return known;
    const text = this.chunks.reduce((all, chunk, index) => `${all}$${index}${chunk}`);
    const prepared = { text, name: statementName(text) };
    preparedOf.set(this.chunks, prepared);
    return prepared;
  }
}

type Prepared = { text: string; name: string | undefined };
const preparedOf = new WeakMap<readonly string[], Prepared>();

/**
 * sql`select id from users where status = ${status} ${filter}`: every `${}` becomes a parameter,
 * except another fragment, which is spliced in. An array is one parameter: `= any(${ids})`.
 */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  const values: unknown[] = [];
  let step = begun.get(strings);
  if (step === undefined) begun.set(strings, (step = newStep()));
  for (const part of parts) {
    if (part instanceof Sql) {
      step = afterFragment(step, part.chunks);
      values.push(...part.values);
    } else {
      // The driver reads `undefined` as NULL, which would hide a forgotten value.
      if (part === undefined) throw new TypeError('A value in a query is undefined');
      step = step.afterValue ??= newStep();
      values.push(part);
    }
  }
  step.chunks ??= spliced(strings, parts);
  return new Sql(step.chunks, values);
}

/**
 * A template with the same fragments at the same positions has the same text, whatever the values:
 * pieced together once, then found along its parts. A page of a list is some twenty templates deep,
 * and putting its text together took longer than checking its query and writing its log line.
 */
type Step = {
  chunks: readonly string[] | null;
  afterValue: Step | null;
  /** Weak, so that a text made around a joined list is not kept for ever. */
  afterFragment: WeakMap<readonly string[], Step> | null;
};
const begun = new WeakMap<TemplateStringsArray, Step>();

function newStep(): Step {
  return { chunks: null, afterValue: null, afterFragment: null };
}

function afterFragment(step: Step, chunks: readonly string[]): Step {
  step.afterFragment ??= new WeakMap();
  const known = step.afterFragment.get(chunks);
  if (known !== undefined) return known;
  const next = newStep();
  step.afterFragment.set(chunks, next);
  return next;
}

function spliced(strings: TemplateStringsArray, parts: readonly unknown[]): readonly string[] {
  const chunks = [strings[0] ?? ''];
  for (const [index, part] of parts.entries()) {
    if (part instanceof Sql) appendFragment(chunks, part);
    else chunks.push('');
    append(chunks, strings[index + 1] ?? '');
  }
  return chunks;
}

function appendFragment(chunks: string[], fragment: Sql): void {
  const [first = '', ...rest] = fragment.chunks;
  append(chunks, first);
  chunks.push(...rest);
}

function append(chunks: string[], text: string): void {
  chunks.push((chunks.pop() ?? '') + text);
}

const EMPTY = new Sql([''], []);
const COMMA = new Sql([', '], []);
sql.empty = EMPTY;

/** Fragments in a row: `where ${sql.join(conditions, sql` and `)}`. Pieced together once, as templates are. */
sql.join = function join(fragments: readonly Sql[], separator: Sql = COMMA): Sql {
  const parts = fragments.flatMap((fragment, index) =>
    index === 0 ? [fragment] : [separator, fragment],
  );
  let step = joined;
  for (const { chunks } of parts) step = afterFragment(step, chunks);
  step.chunks ??= splicedTogether(parts);
  return new Sql(
    step.chunks,
    parts.flatMap(({ values }) => values),
  );
};
const joined = newStep();

function splicedTogether(parts: readonly Sql[]): readonly string[] {
  const chunks = [''];
  for (const part of parts) appendFragment(chunks, part);
  return chunks;
}

/** A value for a json or jsonb column. Needed for arrays, which the driver would send as SQL arrays. */
sql.json = function json(value: unknown): string {
  return JSON.stringify(value);
};

/**
 * A whole number as part of the text: for LIMIT, where the planner has to know how few rows are
 * wanted. Each number makes a statement of its own, so only for numbers from a small range.
 */
sql.whole = function whole(value: number): Sql {
  const known = wholes.get(value);
  if (known !== undefined) return known;
  if (!Number.isSafeInteger(value)) throw new TypeError('A limit in a query is no whole number');
  const made = new Sql([String(value)], []);
  if (wholes.size < MAX_WHOLES) wholes.set(value, made);
  return made;
};
const MAX_WHOLES = 200;
const wholes = new Map<number, Sql>();

// Enough for every statement of the code; a text built around a list of varying length stays unnamed.
const MAX_NAMED_STATEMENTS = 1_000;
const names = new Map<string, string>();

/** By the text, so that two templates that come to the same share one. */
export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMED_STATEMENTS) return undefined;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  names.set(text, name);
  return name;
}

/** The three characters that mean something in a pattern, as themselves. */
export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** Advisory locks, one number each: every Meridian on a database must mean the same by them. */
export const LOCKS = {
  migrate: 7_261_541,
  publish: 7_261_542,
  firstAdmin: 7_261_543,
  demo: 7_261_544,
  /** Taken by functions of the schema, which name the number themselves. */
  counters: 7_261_545,
  audit: 7_261_546,
  currencyDeactivation: 7_261_547,
  backlog: 7_261_548,
} as const;

/**
 * For statements written for one index each: without values the planner takes a range for small, and
 * would rather collect and sort all of it than stop at the limit.
 */
const OFF = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin'];

/**
 * Every statement of the engine touches a few hundred rows by their keys. Planned while tables are
 * small, the planner would read them whole, and keep that plan while they grow.
 */
export const ENGINE_PLANS = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** For a whole connection. */
export const BY_INDEX_SETTINGS = Object.fromEntries(OFF.map((name) => [name, 'off']));

/** Until the end of the transaction. */
export const PLAN_BY_INDEX_LOCALLY = sql`
  select ${sql.join(OFF.map((name) => sql`set_config(${name}, 'off', true)`))}`;

/** The versions a change may start from; null when any will do. */
export type ExpectedVersions = readonly number[] | null;

/** Whether a row is in a version that a change may start from. */
export function isExpected(expected: ExpectedVersions, version: Sql = sql`version`): Sql {
  return sql`(${expected}::bigint[] is null or ${version} = any(${expected}::bigint[]))`;
}

/** After the last one the first: one more, and the statement would fail with all its posts. Of posts `p`. */
export const NEXT_VERSION = sql`p.version % 2147483647 + 1`;
