import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { getOwner, onSessionEnd } from '../api/session.ts';
import { mergeChanges } from './field-path.ts';

/* Text typed when the session ends is kept in memory until the same administrator is back there. */

interface Draft {
  first: object;
  values: object;
}

const open = new Map<string, Draft>();
let kept = { username: '', drafts: new Map<string, Draft>() };

/** A draft that is given up by choice is not brought back. */
export function withdrawDrafts(): void {
  open.clear();
}

/** Drafts are shown only to the administrator who typed them. */
function draftsOf(username: string): Map<string, Draft> {
  if (kept.username !== username) kept = { username, drafts: new Map() };
  return kept.drafts;
}

export function draftAt(address: string): Draft | undefined {
  return draftsOf(getOwner() ?? '').get(address);
}

export function forgetDraft(address: string): void {
  kept.drafts.delete(address);
}

onSessionEnd(() => {
  if (open.size === 0) return;
  const drafts = draftsOf(getOwner() ?? '');
  for (const [address, draft] of open) drafts.set(address, draft);
});

/**
 * The first values of a form: the defaults, and on top of them those typed here before the session
 * ended, as the rest may have been changed meanwhile. A form beside that of its page has a `part`.
 */
export function useRestored<Values extends object>(defaults: Values, isKept: boolean, part = '') {
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

export function useDraft(first: object, values: object, isKept: boolean, part = ''): void {
  const address = useLocation().pathname + part;

  useEffect(() => {
    if (!isKept) return undefined;
    open.set(address, { first, values });
    return () => {
      open.delete(address);
    };
  }, [address, first, values, isKept]);
}
