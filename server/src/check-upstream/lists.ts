import { isDeepStrictEqual } from 'node:util';
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
/**
 * Without a total there is nothing to compare; that it is missing is reported already. One that says
 * itself that it is capped counts nothing either.
 */
type Page = { rows: Row[]; total: number | null };

export type ListProbe = {
  pageSize: number;
  page: (query?: Query) => Promise<Page>;
  check: (problemOf: () => Promise<string | null>) => Promise<void>;
};

export function probeList(probe: Probe, { endpoint, name, pageSize }: List): ListProbe {
  return {
    pageSize,
    async page(query = {}) {
      const body = await probe.succeeds(endpoint, { query: { limit: pageSize, ...query } });
      const total = body?.['totalIsCapped'] === true ? null : body?.['total'];
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

export async function checkPaging(list: ListProbe): Promise<void> {
  const { page, check } = list;
  await check(async () => {
    const [all, one, two] = [
      await page(),
      await page({ limit: 1 }),
      // In pages of one row, an offset that counts pages could not be told from one that counts rows.
      await page({ limit: 2, offset: 1 }),
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
      : '?limit=2&offset=1 does not begin with the second row of the list: pages would repeat or skip rows';
  });
  await check(() => totalProblem(list));
}

/** Whether `total` counts the rows of the list with this filter; `asked` names the filter. */
export async function totalProblem(
  { page, pageSize }: ListProbe,
  filter: Query = {},
  asked = '',
): Promise<string | null> {
  const { rows, total } = await page(filter);
  if (total === null) return null;
  const found = rows.length;
  if (found > pageSize) {
    return `?limit=${pageSize} returned ${found} rows; a page of the console holds ${pageSize}`;
  }
  if (found !== Math.min(total, pageSize)) {
    return `\`total\` is ${total}${asked}, but the first page of ${pageSize} has ${found} rows`;
  }
  if (total > pageSize && (await page({ ...filter, offset: total - 1 })).rows.length === 0) {
    return `\`total\` is ${total}${asked}, but ?offset=${total - 1} returned no row`;
  }
  const behind = total === 0 ? 0 : (await page({ ...filter, offset: total })).rows.length;
  return behind === 0
    ? null
    : `?offset=${total} returned ${behind} rows behind the last of ${total}${asked}`;
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
      return isLost
        ? `?status=${word} returned no row, but the list has one of that status`
        : totalProblem(list, { status: word }, ` with ?status=${word}`);
    });
  }
}

export async function checkSort(list: ListProbe, sort: PostSort, order: SortOrder): Promise<void> {
  const half = list.pageSize / 2;
  await list.check(async () => {
    const asked = { sort, order };
    const { rows } = await list.page(asked);
    // A missing field is reported already.
    const values = rows.flatMap((row) => textAt(row, sort) ?? []);
    const isSorted =
      sort === 'status'
        ? isGrouped(values)
        : isOrdered(
            values.map((time) => Date.parse(time)),
            order,
          );
    if (!isSorted) return `?sort=${sort}&order=${order} is not in that order`;
    const halves = [
      ...(await list.page({ ...asked, limit: half })).rows,
      ...(await list.page({ ...asked, limit: half, offset: half })).rows,
    ];
    const isSame = isDeepStrictEqual(halves.map(idOf), rows.map(idOf));
    return isSame
      ? null
      : `?sort=${sort}&order=${order} has another order in pages of ${half} than in one of ${list.pageSize}: break ties by id, or pages repeat and skip rows`;
  });
}

const statusOf = (row: Row | undefined) => textAt(row, 'status');

/** Of statuses, whose order is the server's own: that one direction is not the other. */
export async function checkStatusOrders(list: ListProbe): Promise<void> {
  await list.check(async () => {
    const [up, down] = [
      await list.page({ sort: 'status', order: 'asc' }),
      await list.page({ sort: 'status', order: 'desc' }),
    ];
    const [first, ...others] = [...up.rows, ...(await list.page()).rows].map(statusOf);
    const isSame = first === statusOf(down.rows[0]) && others.some((status) => status !== first);
    return isSame ? '?sort=status begins with the same status in both orders' : null;
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
