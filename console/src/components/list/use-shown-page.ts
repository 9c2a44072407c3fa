import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import type { PagePosition } from './list-params.ts';

interface Shown<Answer> {
  answer: Answer;
  page: number;
  /** How the list was looked at: filters and sort. */
  view: string;
}

export interface ShownPage<Answer> {
  /** What is on screen: the page asked for, or the last one that came. Undefined at first. */
  answer: Answer | undefined;
  /** Which page that is. */
  page: number;
  /** The next one is on its way. */
  isOld: boolean;
}

/**
 * Rows stay on screen until the next ones are there, and when those do not come. Rows of another
 * filter stay only while their successors are on the way: under an error they would be a lie.
 */
export function useShownPage<Answer>(
  query: Pick<UseQueryResult<Answer>, 'data' | 'error'>,
  { page }: PagePosition,
  view: string,
): ShownPage<Answer> {
  const [last, setLast] = useState<Shown<Answer>>();
  const { data, error } = query;
  if (data !== undefined) {
    // As soon as it is known, not an effect later: the pager must never name other rows.
    if (last?.answer !== data || last.page !== page || last.view !== view) {
      setLast({ answer: data, page, view });
    }
    return { answer: data, page, isOld: false };
  }
  if (last === undefined || (error !== null && last.view !== view)) {
    return { answer: undefined, page, isOld: false };
  }
  return { answer: last.answer, page: last.page, isOld: error === null };
}
