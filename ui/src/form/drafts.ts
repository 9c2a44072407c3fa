import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { getOwner, onSessionEnd } from '../api/session.ts';
import { mergeChanges } from './field-path.ts';

/*
 * A session may end in the middle of a form. What was typed is kept in memory, and nowhere else,
 * until the same administrator is back at the same address.
 */

export interface Draft {
  /** What the fields held at first. */
  first: object;
  values: object;
}

/** Of the forms on screen, by their address. */
const open = new Map<string, Draft>();
let kept = { username: '', drafts: new Map<string, Draft>() };

/** Of a form with something to lose. To be withdrawn when it is saved, left, or typed back. */
function offerDraft(address: string, draft: Draft): () => void {
  open.set(address, draft);
  return () => open.delete(address);
}

/** What is given up by choice is not brought back. */
export function withdrawDrafts(): void {
  open.clear();
}

/** Drafts are shown only to the administrator who typed them. */
function draftsOf(username: string): Map<string, Draft> {
  if (kept.username !== username) kept = { username, drafts: new Map() };
  return kept.drafts;
}

/** What the signed-in administrator typed at this address. */
export function draftAt(address: string): Draft | undefined {
  return draftsOf(getOwner() ?? '').get(address);
}

/** A draft serves once. */
export function forgetDraft(address: string): void {
  kept.drafts.delete(address);
}

/** The session is told of its end while it still knows whose it was. */
onSessionEnd(() => {
  if (open.size === 0) return;
  const drafts = draftsOf(getOwner() ?? '');
  for (const [address, draft] of open) drafts.set(address, draft);
});

/**
 * What the fields start with: the defaults, and on top of them what was typed here before the
 * session ended. On top, as the rest may have been changed meanwhile. What is not the form of its
 * page says in `part` what it is.
 */
export function useRestored<Values extends object>(
  defaults: Values,
  isKept: boolean,
  part = '',
): { initial: Values; isRestored: boolean; forget: () => void } {
  const address = useLocation().pathname + part;
  const [restored] = useState(() => {
    const draft = isKept ? draftAt(address) : undefined;
    if (draft === undefined) return undefined;
    // The form of this address is the one that left it, hence of these fields.
    return mergeChanges(draft.first as Values, draft.values as Values, defaults);
  });

  // Not when it is read: that may happen twice before the form is there.
  useEffect(() => forgetDraft(address), [address]);

  return {
    initial: restored ?? defaults,
    isRestored: restored !== undefined,
    forget: () => forgetDraft(address),
  };
}

/** Holds what is typed ready for the case that the session ends. */
export function useDraft(first: object, values: object, isKept: boolean, part = ''): void {
  const address = useLocation().pathname + part;

  // The store is outside of React, as it must outlive the page.
  useEffect(
    () => (isKept ? offerDraft(address, { first, values }) : undefined),
    [address, first, values, isKept],
  );
}
