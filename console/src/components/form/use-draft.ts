import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { mergeChanges } from './changes.ts';
import { draftAt, forgetDraft, offerDraft } from './drafts.ts';

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
