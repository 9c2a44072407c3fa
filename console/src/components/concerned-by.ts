import { type ConsequenceOf, consequenceGet } from '@meridian/contract/bulk';
import { useState } from 'react';
import { isMeridian } from '../api/service.ts';
import { call } from '../api/call.ts';

/**
 * For a change that the specification makes without a question: the sentences of whom it concerns, to
 * ask first. Empty where it concerns nothing else, the server does not say, or does not respond.
 */
async function concernedBy(of: ConsequenceOf, id: string): Promise<readonly string[]> {
  if (!isMeridian()) return [];
  try {
    return (await call(consequenceGet, { query: { of, id } })).sentences;
  } catch {
    return [];
  }
}

/** The same for a button, which is at work meanwhile. */
export function useConcernedBy(of: ConsequenceOf) {
  const [isAsking, setAsking] = useState(false);
  async function ask(id: string): Promise<readonly string[]> {
    setAsking(true);
    const sentences = await concernedBy(of, id);
    setAsking(false);
    return sentences;
  }
  return { isAsking, ask };
}
