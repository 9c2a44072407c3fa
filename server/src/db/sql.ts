import { createHash } from 'node:crypto';

/** Only the `sql` tag makes this, so a value never becomes text; `chunks` has one entry more than `values`. */
export class Sql {
  readonly chunks: readonly string[];
  readonly values: readonly unknown[];

  constructor(chunks: readonly string[], values: readonly unknown[]) {
    this.chunks = chunks;
    this.values = values;
  }

  get text(): string {
    return this.chunks.reduce((all, chunk, index) => `${all}$${index}${chunk}`);
  }
}

/** Every `${}` becomes a parameter, except a fragment; an array is one parameter: `= any(${ids})`. */
export function sql(strings: TemplateStringsArray, ...parts: unknown[]): Sql {
  return spliced(strings, parts);
}

function spliced(strings: readonly string[], parts: readonly unknown[]): Sql {
  const chunks = [strings[0] ?? ''];
  const values: unknown[] = [];
  const append = (text = '') => chunks.push((chunks.pop() ?? '') + text);
  for (const [index, part] of parts.entries()) {
    // The driver reads `undefined` as NULL, which would hide a forgotten value.
    if (part === undefined) throw new TypeError('A value in a query is undefined');
    const isFragment = part instanceof Sql;
    const [first, ...rest] = isFragment ? part.chunks : ['', ''];
    append(first);
    chunks.push(...rest);
    values.push(...(isFragment ? part.values : [part]));
    append(strings[index + 1]);
  }
  return new Sql(chunks, values);
}

sql.empty = new Sql([''], []);

sql.join = function join(fragments: readonly Sql[], separator = sql`, `): Sql {
  const parts = fragments.flatMap((fragment) => [separator, fragment]);
  return spliced([], parts.slice(1));
};

/** The driver would send an array as an SQL array. */
sql.json = (value: unknown): string => JSON.stringify(value);

/** The planner must know the LIMIT. Each number makes its own statement, so it must come from a small range. */
sql.whole = function whole(value: number): Sql {
  if (!Number.isSafeInteger(value)) throw new TypeError('A limit in a query is no whole number');
  return new Sql([String(value)], []);
};

// The code has fewer statements; a text built around a list of varying length stays unnamed.
const MAX_NAMED_STATEMENTS = 1_000;
const names = new Map<string, string>();

export function statementName(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMED_STATEMENTS) return undefined;
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  names.set(text, name);
  return name;
}

export function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`);
}

/** Every Meridian on a database must mean the same by these numbers. */
export const LOCKS = {
  migrate: 7_261_541,
  publish: 7_261_542,
  firstAdmin: 7_261_543,
  demo: 7_261_544,
  // Functions of the schema, which take these two, name the number themselves.
  counters: 7_261_545,
  audit: 7_261_546,
  currencyDeactivation: 7_261_547,
  backlog: 7_261_548,
} as const;

/** Without values the planner takes a range for small, and would sort it all rather than stop at the limit. */
const OFF = ['enable_seqscan', 'enable_bitmapscan', 'enable_hashjoin', 'enable_mergejoin'];

/** A plan made while tables are small would read them whole, and stay while they grow. */
export const ENGINE_PLANS = {
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

export const BY_INDEX_SETTINGS = Object.fromEntries(OFF.map((name) => [name, 'off']));

export const PLAN_BY_INDEX_LOCALLY = sql`
  select ${sql.join(OFF.map((name) => sql`set_config(${name}, 'off', true)`))}`;

export type ExpectedVersions = readonly number[] | null;

export function isExpected(expected: ExpectedVersions, version: Sql = sql`version`): Sql {
  return sql`(${expected}::bigint[] is null or ${version} = any(${expected}::bigint[]))`;
}

/** The first version follows the last: an overflow would fail the statement with all its posts. */
export const NEXT_VERSION = sql`p.version % 2147483647 + 1`;
