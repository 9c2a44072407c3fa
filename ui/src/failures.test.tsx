import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ApiError } from './api/errors.ts';
import { LoadError } from './failures.tsx';

const textOf = (error: Error | null) =>
  renderToStaticMarkup(
    <LoadError
      query={{ error, isFetching: false, refetch: () => Promise.reject(error) }}
      failed="Failed to load"
    />,
  )
    .replaceAll(/<(svg|button)[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

test.each([
  ['a fault of the server names its request', 500, 'r-1', 'Broken Request r-1'],
  ['a fault without a request id is the message alone', 503, undefined, 'Broken'],
  ['a refusal is the message alone', 404, 'r-1', 'Broken'],
])('%s', (_, status, requestId, shown) => {
  expect(textOf(new ApiError({ status, message: 'Broken', requestId }))).toBe(shown);
});

test('nothing stands there while nothing has failed', () => {
  expect(textOf(null)).toBe('');
});

test('no answer at all is the words of the screen', () => {
  expect(textOf(new ApiError({ status: 0, message: '' }))).toBe('Failed to load');
});
