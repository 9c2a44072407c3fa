import type { Endpoint } from '@meridian/contract/endpoint';
import { type PathParams, type QueryValues, requestUrl } from './request-url.ts';
import { headersWith, send } from './send.ts';
import { getToken } from './token-store.ts';

/*
 * Reads that are sent before the code that understands their answers is there: the entry script
 * asks for a screen's data at the same moment as for its code, and the screen's own call then finds
 * the answer here. Nothing is shown from here, and nothing is kept for long.
 */

/** An answer that has waited longer than this for its screen is asked for again. */
const KEPT_MS = 5000;

interface EarlyAnswer {
  token: string;
  response: Promise<Response>;
  /** Undefined while it is on its way. */
  cameAt?: number;
}

/** As react-query knows the read. */
export type ReadKey = readonly [name: string, params: PathParams, query: QueryValues];

const answers = new Map<string, EarlyAnswer>();
let isAtHand: (key: ReadKey) => boolean = () => false;

/** The cache registers here, as it comes later than the first reads: what it has is not asked for. */
export function skipEarly(when: (key: ReadKey) => boolean): void {
  isAtHand = when;
}

export function startEarly(
  endpoint: Pick<Endpoint, 'name' | 'path'>,
  { params = {}, query = {} }: { params?: PathParams; query?: QueryValues },
): void {
  const token = getToken();
  const url = requestUrl(endpoint, params, query);
  if (token === null || isUsable(answers.get(url), token)) return;
  if (isAtHand([endpoint.name, params, query])) return;
  const answer: EarlyAnswer = { token, response: send(url, { headers: headersWith(token) }) };
  answers.set(url, answer);
  answer.response.then(
    (response) => {
      answer.cameAt = performance.now();
      // Read to its end through a copy: an unread body keeps its connection busy.
      response
        .clone()
        .arrayBuffer()
        .catch(() => {});
    },
    () => {
      // A failure is for the screen's call to tell.
      answer.cameAt = performance.now();
    },
  );
}

/** The answer to this very request, if it was sent early. It serves once. */
export function takeEarly(url: string, token: string | null): Promise<Response> | undefined {
  const answer = answers.get(url);
  answers.delete(url);
  return isUsable(answer, token) ? answer?.response : undefined;
}

export function forgetEarly(): void {
  answers.clear();
}

function isUsable(answer: EarlyAnswer | undefined, token: string | null): boolean {
  if (answer === undefined || answer.token !== token) return false;
  return answer.cameAt === undefined || performance.now() - answer.cameAt < KEPT_MS;
}
