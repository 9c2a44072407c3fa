import { expect, test } from 'vitest';
import { pageSpan } from './Pager.tsx';

test.each([
  ['the first of three', [1, 20, 45], [1, 20, 45, 3]],
  ['the last of three', [3, 5, 45], [41, 45, 45, 3]],
  ['one page only', [1, 12, 12], [1, 12, 12, 1]],
  ['nothing', [1, 0, 0], [0, 0, 0, 1]],
  ['fewer rows than asked for', [2, 10, 45], [21, 30, 45, 3]],
  ['all rows at once', [1, 45, 45], [1, 45, 45, 1]],
  ['no total, a full page', [2, 20, undefined], [21, 40, undefined, 3]],
  ['no total, the last page', [2, 7, undefined], [21, 27, undefined, 2]],
  ['a total of 0 over rows', [1, 20, 0], [1, 20, undefined, 2]],
  ['a page past the end', [9, 0, 45], [0, 0, 45, 3]],
] as const)('%s', (_, [page, rows, given], [from, to, total, lastPage]) => {
  const span = pageSpan({ page, pageSize: 20, rows, total: given });
  expect(span).toEqual({ from, to, total, lastPage });
});
