import { CAUSES, FILTERED_TOTAL_MAX, SORTED_TOTAL_MAX } from '@meridian/contract';
import { sql } from '../../server/src/db/sql.ts';
import type { Sql } from '../../server/src/db/sql.ts';
import type { Rows } from './rows.ts';

const KNOWN = Object.keys(CAUSES);
const FAILED_AT = sql`coalesce(executed_at, updated_at)`;
const ERROR = sql`left(coalesce(nullif(error_msg, ''), 'No error was recorded'), 200)`;

/** The filters of an address in plain words, not by the code that the server lists with. */
const CONDITIONS: Record<string, (value: string) => Sql> = {
  status: (value) => sql`status = ${value}`,
  userId: (value) => sql`user_id = ${value}`,
  userFilter: (value) => sql`user_id in (
    select id from users where strpos(lower(handle), ${value}) > 0 or strpos(did, ${value}) > 0)`,
  from: (value) => sql`scheduled_at >= ${value}`,
  to: (value) => sql`scheduled_at < ${value}`,
  failedFrom: (value) => sql`status = 'FAILED' and ${FAILED_AT} >= ${value}`,
  failedTo: (value) => sql`status = 'FAILED' and ${FAILED_AT} < ${value}`,
  cause: (value) =>
    value === 'unknown'
      ? sql`status = 'FAILED' and (cause is null or not cause = any(${KNOWN}))`
      : sql`status = 'FAILED' and cause = ${value}`,
  owner: (value) => sql`status = 'FAILED' and ${ownedBy(value)}`,
  error: (value) => sql`${ERROR} = ${value}`,
  hold: (value) => (value === 'any' ? sql`hold is not null` : sql`hold = ${value}`),
  overdue: () => sql`status = 'PENDING' and claim_at <= now()`,
  stuck: () => sql`status = 'PROCESSING' and claim_at < now() - interval '1 minute'`,
  text: (value) => sql`strpos(lower(content), ${value.toLowerCase()}) > 0`,
  order: () => sql`true`,
};

function ownedBy(owner: string): Sql {
  const causes = Object.entries(CAUSES).flatMap(([cause, { owner: who }]) =>
    who === owner ? [cause] : [],
  );
  const isOwn = sql`cause = any(${causes})`;
  return owner === 'us' ? sql`(cause is null or ${isOwn} or not cause = any(${KNOWN}))` : isOwn;
}

const COUNTED = new Set(['userId', 'userFilter', 'status']);
/** Lists by these are read whole, and counted further. */
const SORTED = ['overdue', 'stuck', 'userFilter', 'failedFrom', 'failedTo'];

/** The posts of a list, as the database counts and orders them. */
export class PostsBySql {
  readonly #rows: Rows;
  readonly #condition: Sql;
  readonly #direction: Sql;
  readonly #countedMax: number;

  /** `address`: that of a list in the console. */
  constructor(rows: Rows, address: string) {
    const params = new URL(address, 'http://console').searchParams;
    const conditions = [...params].map(([name, value]) => {
      const condition = CONDITIONS[name];
      if (condition === undefined) throw new Error(`No filter ${name} is known`);
      return condition(value);
    });
    this.#rows = rows;
    this.#condition = sql.join([sql`true`, ...conditions], sql` and `);
    this.#direction = params.get('order') === 'asc' ? sql`asc` : sql`desc`;
    // For people and for a status there are counters.
    const isCounted = [...params.keys()].every((name) => COUNTED.has(name));
    const isSorted = SORTED.some((name) => params.has(name));
    const max = isSorted ? SORTED_TOTAL_MAX : FILTERED_TOTAL_MAX;
    this.#countedMax = isCounted ? Infinity : max;
  }

  count(): Promise<number> {
    return this.#rows.count(sql`from posts where ${this.#condition}`);
  }

  /** '1 post', '204 posts', or '1,000+ posts' where the list stops counting. */
  async words(): Promise<string> {
    const count = await this.count();
    const shown = Math.min(count, this.#countedMax).toLocaleString('en-GB');
    return `${shown}${count > this.#countedMax ? '+' : ''} ${count === 1 ? 'post' : 'posts'}`;
  }

  async ids(limit: number, offset = 0): Promise<string[]> {
    const found = await this.#rows.select<{ id: string }>(sql`
      select id from posts where ${this.#condition}
      order by scheduled_at ${this.#direction}, id ${this.#direction}
      limit ${limit}::int offset ${offset}::int`);
    return found.map(({ id }) => id);
  }
}
