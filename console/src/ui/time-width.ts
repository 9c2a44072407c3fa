import { formatDateTime } from './format-time.ts';

/**
 * The room that a time needs on one line, as a CSS length: the longest of the twelve months in
 * these words, at somewhat more than the average width of a letter.
 */
export const DATE_TIME_WIDTH = `${
  Math.max(
    ...Array.from(
      { length: 12 },
      (_, month) => formatDateTime(new Date(2026, month, 28, 22)).length,
    ),
  ) * 0.475
}rem`;

/** The same for the column of a table, with the padding of its cells. */
export const TIME_COLUMN_WIDTH = `calc(${DATE_TIME_WIDTH} + 1.5rem)`;
