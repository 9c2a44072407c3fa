import * as z from 'zod/mini';
import { CAUSES, isCause } from './causes.ts';
import type { Cause } from './cause-words.ts';
import { endpoint } from './endpoint.ts';
import { post } from './posts.ts';

export const RETRY_MESSAGES = { failed: 'Failed to retry the post' } as const;

/** Sent again, these would fail for the same reason, or be public twice. */
const FINAL_CAUSES = new Set<Cause>([
  'taken_down',
  'account_gone',
  'invalid_record',
  'too_long',
  'too_many_images',
  'image_too_large',
  'image_type',
  'parent_gone',
  'altered',
  'published_after_cancel',
]);

/** Not without a known cause: it does not tell whether the post was sent. */
export function isRetryable(cause: string | null | undefined): cause is Cause {
  return typeof cause === 'string' && isCause(cause) && !FINAL_CAUSES.has(cause);
}

// `Object.keys` loses the literal types of a closed list.
export const RETRYABLE_CAUSES = (Object.keys(CAUSES) as Cause[]).filter(isRetryable);

export const retryCan = {
  retry: (one: Pick<z.output<typeof post>, 'status' | 'cause' | 'at_uri' | 'retried_as'>) =>
    one.status === 'FAILED' && !one.at_uri && !one.retried_as && isRetryable(one.cause),
};

export const postRetry = endpoint({
  name: 'postRetry',
  method: 'POST',
  path: '/api/admin/posts/{id}/retry',
  right: 'posts:write',
  summary: 'Schedule a failed post again as a new one, unless it is published already',
  answer: z.object({ post }),
});
