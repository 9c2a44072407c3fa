import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * What a form starts from: the first response that is not just being fetched again. Later responses
 * change nothing, so that a refetch in the background never touches what someone typed.
 */
export function useFirstResponse<Answer>({
  data,
  isFetching,
}: Pick<UseQueryResult<Answer>, 'data' | 'isFetching'>): Answer | undefined {
  const [first, setFirst] = useState<Answer>();
  if (first === undefined && data !== undefined && !isFetching) setFirst(data);
  return first;
}
