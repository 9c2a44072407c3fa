import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import { isNotFound } from '../../api/api-error.ts';
import { call, type CallArgs } from '../../api/call.ts';

/** What reading again shows after the response to a change was lost. */
export type Outcome = 'made' | 'gone' | 'open';

/** Reads what was to be changed. Still as before is open: the request may yet arrive. */
export async function readOutcome<E extends Endpoint>(
  endpoint: E,
  args: CallArgs<E>,
  isAsWished: (answer: AnswerOf<E>) => boolean,
): Promise<Outcome> {
  try {
    return isAsWished(await call(endpoint, args)) ? 'made' : 'open';
  } catch (error) {
    return isNotFound(error) ? 'gone' : 'open';
  }
}

/** The same for a removal: what is no longer found was removed. */
export async function readRemoval<E extends Endpoint>(
  endpoint: E,
  args: CallArgs<E>,
): Promise<Outcome> {
  const outcome = await readOutcome(endpoint, args, () => false);
  return outcome === 'gone' ? 'made' : 'open';
}
