/** What was promised. A ratio is ours by the reference, measured side by side in one run. */
export type Mark = {
  what: string;
  limit: number;
  sense: 'at most' | 'at least';
  unit: '×' | ' ms' | ' s' | ' /s' | ' %' | ' posts' | ' events' | ' MB';
};

export const MARKS = {
  statement: {
    what: 'posts list page 1 with total, by each sort and status filter: p50 against bare SQL for the 20 rows alone, both through the driver',
    limit: 1.5,
    sense: 'at most',
    unit: '×',
  },
  list: {
    what: 'the same, ours with HTTP, session check and JSON',
    limit: 1.5,
    sense: 'at most',
    unit: '×',
  },
  throughput: {
    what: 'throughput at 8 connections against a bare Fastify route',
    limit: 0.75,
    sense: 'at least',
    unit: '×',
  },
  depth: {
    what: 'page in the middle of the list, by Next, against page 1',
    limit: 1.2,
    sense: 'at most',
    unit: '×',
  },
  growth: {
    what: 'any list or stats call on the large database against the small one',
    limit: 1.3,
    sense: 'at most',
    unit: '×',
  },
  typicalFilter: {
    what: 'typical user filter against page 1',
    limit: 2,
    sense: 'at most',
    unit: '×',
  },
  broadFilter: { what: 'broad user filter against page 1', limit: 5, sense: 'at most', unit: '×' },
  write: {
    what: 'status change with the counters against the same without',
    limit: 1.15,
    sense: 'at most',
    unit: '×',
  },
  burst: {
    what: 'posts a second while many are due at one instant (100,000 within 60 s)',
    limit: 1_667,
    sense: 'at least',
    unit: ' /s',
  },
  postgresCpu: {
    what: 'CPU of PostgreSQL for a published post, counters included',
    limit: 0.3,
    sense: 'at most',
    unit: ' ms',
  },
  exactlyOnce: {
    what: 'posts published twice or never',
    limit: 0,
    sense: 'at most',
    unit: ' posts',
  },
  quietMedian: {
    what: 'lateness at 100 posts a second, p50',
    limit: 5,
    sense: 'at most',
    unit: ' ms',
  },
  quietTail: {
    what: 'lateness at 100 posts a second, p99',
    limit: 50,
    sense: 'at most',
    unit: ' ms',
  },
  early: { what: 'posts published early', limit: 0, sense: 'at most', unit: ' posts' },
  claimRows: {
    what: 'claim in the large database against 100,000 posts',
    limit: 1.1,
    sense: 'at most',
    unit: '×',
  },
  claimHeld: {
    what: 'claim with 1,000,000 posts held against none',
    limit: 1.05,
    sense: 'at most',
    unit: '×',
  },
  idleCpu: { what: 'CPU of an idle engine', limit: 0.3, sense: 'at most', unit: ' %' },
  idleQueries: { what: 'queries of an idle engine', limit: 1, sense: 'at most', unit: ' /s' },
  bulk: {
    what: '100,000 posts cancelled by one bulk change',
    limit: 60,
    sense: 'at most',
    unit: ' s',
  },
  bulkList: {
    what: 'posts page 1 while many posts are cancelled, p99 against its quiet p99',
    limit: 1.5,
    sense: 'at most',
    unit: '×',
  },
  bulkEngine: {
    what: 'lateness at 100 posts a second while many posts are cancelled, p99 against its quiet p99',
    limit: 1.5,
    sense: 'at most',
    unit: '×',
  },
  desk: {
    what: "any read of the operator's desk against page 1 of the posts",
    limit: 2,
    sense: 'at most',
    unit: '×',
  },
  streamMemory: {
    what: 'more memory of the server with 200 open streams and 10,000 changes a minute',
    limit: 40,
    sense: 'at most',
    unit: ' MB',
  },
  streamList: {
    what: 'posts page 1 meanwhile, p99 against its quiet p99',
    limit: 1.5,
    sense: 'at most',
    unit: '×',
  },
  streamGap: {
    what: 'changes missed by a stream that was cut and resumed',
    limit: 0,
    sense: 'at most',
    unit: ' events',
  },
  streamEnd: {
    what: 'end of a stream after the logout of its session',
    limit: 1,
    sense: 'at most',
    unit: ' s',
  },
  exportMemory: {
    what: 'more memory of the server during an export of all posts',
    limit: 50,
    sense: 'at most',
    unit: ' MB',
  },
  cachedClick: {
    what: 'click in the sidebar to painted rows, data prefetched',
    limit: 50,
    sense: 'at most',
    unit: ' ms',
  },
  click: {
    what: 'click in the sidebar to painted rows beyond the network, data not prefetched',
    limit: 60,
    sense: 'at most',
    unit: ' ms',
  },
  longTask: {
    what: 'longest task from click to painted rows',
    limit: 50,
    sense: 'at most',
    unit: ' ms',
  },
} as const satisfies Record<string, Mark>;

export type MarkId = keyof typeof MARKS;
