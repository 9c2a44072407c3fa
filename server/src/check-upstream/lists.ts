import type { Endpoint } from '@meridian/contract/endpoint';
import { postStatusOf } from '@meridian/contract/posts';
import type { PostSort, SortOrder } from '@meridian/contract/posts';
import { idOf, rowsOf, textAt } from './probe.ts';
import type { Probe, Row } from './probe.ts';

/** Other people change what is listed meanwhile: only what is wrong each time is reported. */
const TRIES = 3;
const WORD_MAX = 40;

export type List = {
  endpoint: Endpoint;
  /** The field with the rows. */
  name: 'users' | 'posts';
  pageSize: number;
};

type Query = Record<string, string | number>;
/** Without a total there is nothing to compare; that it is missing is reported already. */
type Page = { rows: Row[]; total: number | null };

export type ListProbe = {
  page: (query?: Query) => Promise<Page>;
  check: (problemOf: () => Promise<string | null>) => Promise<void>;
};

export function probeList(probe: Probe, { endpoint, name, pageSize }: List): ListProbe {
  return {
    async page(query = {}) {
      const body = await probe.succeeds(endpoint, { query: { limit: pageSize, ...query } });
      const total = body?.['total'];
      const rows = rowsOf(body, name);
      return { rows, total: typeof total === 'number' ? total : null };
    },
    async check(problemOf) {
      let problem: string | null = null;
      for (let tries = 0; tries < TRIES; tries += 1) {
        problem = await problemOf();
        if (problem === null) return;
      }
      if (problem !== null) probe.differs(endpoint, problem);
    },
  };
}

export async function checkPaging({ page, check }: ListProbe, pageSize: number): Promise<void> {
  await check(async () => {
    const { rows, total } = await page();
    if (total === null) return null;
    if (rows.length > pageSize) {
      return `?limit=${pageSize} returned ${rows.length} rows; a page of the console holds ${pageSize}`;
    }
    const expected = Math.min(total, pageSize);
    if (rows.length === expected) return null;
    return `\`total\` is ${total}, but the first page of ${pageSize} has ${rows.length} rows`;
  });
  await check(async () => {
    const [all, one, two] = [
      await page(),
      await page({ limit: 1 }),
      await page({ limit: 1, offset: 1 }),
    ];
    if (all.total === null || all.total < 2) return null;
    if (one.rows.length !== 1) return `?limit=1 returned ${one.rows.length} rows`;
    if (one.total !== all.total) {
      return `\`total\` is ${one.total} with ?limit=1 and ${all.total} without: it counts the list, not the page`;
    }
    const isSecond =
      idOf(two.rows[0]) === idOf(all.rows[1]) && idOf(one.rows[0]) === idOf(all.rows[0]);
    return isSecond
      ? null
      : '?limit=1&offset=1 is not the second row of the list: pages would repeat or skip rows';
  });
  await check(async () => {
    const { total } = await page();
    if (total === null || total === 0) return null;
    const { rows } = await page({ offset: total });
    return rows.length === 0
      ? null
      : `?offset=${total} returned ${rows.length} rows behind the last of ${total}`;
  });
}

export async function checkStatusFilter(list: ListProbe, words: readonly string[]): Promise<void> {
  for (const word of words) {
    const isOfWord = (row: Row) => postStatusOf(textAt(row, 'status') ?? '') === postStatusOf(word);
    await list.check(async () => {
      const [all, some] = [await list.page(), await list.page({ status: word })];
      const other = some.rows.find((row) => !isOfWord(row));
      if (other !== undefined) {
        const status = textAt(other, 'status')?.replaceAll(/\W/gu, '?').slice(0, WORD_MAX);
        return `?status=${word} returned a row with the status ${status ?? 'missing'}`;
      }
      if (all.total !== null && some.total !== null && some.total > all.total) {
        return `?status=${word} has a \`total\` of ${some.total}, more than all ${all.total}`;
      }
      const isLost = some.rows.length === 0 && all.rows.some(isOfWord);
      return isLost ? `?status=${word} returned no row, but the list has one of that status` : null;
    });
  }
}

export async function checkSort(list: ListProbe, sort: PostSort, order: SortOrder): Promise<void> {
  await list.check(async () => {
    const { rows } = await list.page({ sort, order });
    // A missing field is reported already.
    const values = rows.flatMap((row) => textAt(row, sort) ?? []);
    const isSorted =
      sort === 'status'
        ? isGrouped(values)
        : isOrdered(
            values.map((time) => Date.parse(time)),
            order,
          );
    return isSorted ? null : `?sort=${sort}&order=${order} is not in that order`;
  });
}

/** Which status comes first is for the server to say. */
function isGrouped(values: readonly string[]): boolean {
  const starts = values.filter((value, index) => value !== values[index - 1]);
  return new Set(starts).size === starts.length;
}

function isOrdered(values: readonly number[], order: SortOrder): boolean {
  return values.every((value, index) => {
    const before = values[index - 1] ?? value;
    return order === 'asc' ? before <= value : before >= value;
  });
}
