import {
  type ConsequenceOf,
  CONSEQUENCES_FEATURE,
  consequenceGet,
} from '@meridian/contract/consequences';
import { isAnnounced } from '../api/announced.ts';
import { call } from '../api/call.ts';

/**
 * For a change that the specification makes without a question: the sentences of whom it concerns, to
 * ask first. Empty where it concerns nothing else, the server does not say, or does not respond.
 */
export async function concernedBy(of: ConsequenceOf, id: string): Promise<readonly string[]> {
  if (!isAnnounced(CONSEQUENCES_FEATURE)) return [];
  try {
    return (await call(consequenceGet, { query: { of, id } })).sentences;
  } catch {
    return [];
  }
}
