import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import { mergeChanges } from './changes.ts';
import { draftAt, forgetDraft, offerDraft } from './drafts.ts';

/**
 * What the fields start with: the defaults, and on top of them what was typed here before the
 * session ended. On top, as the rest may have been changed meanwhile.
 */
export function useRestored<Values extends object>(
  defaults: Values,
  isKept: boolean,
): { initial: Values; isRestored: boolean; forget: () => void } {
  const { pathname } = useLocation();
  const [restored] = useState(() => {
    const draft = isKept ? draftAt(pathname) : undefined;
    if (draft === undefined) return undefined;
    // The form of this address is the one that left it, hence of these fields.
    return mergeChanges(draft.first as Values, draft.values as Values, defaults);
  });

  // Not when it is read: that may happen twice before the form is there.
  useEffect(() => forgetDraft(pathname), [pathname]);

  return {
    initial: restored ?? defaults,
    isRestored: restored !== undefined,
    forget: () => forgetDraft(pathname),
  };
}

/** Holds what is typed ready for the case that the session ends. */
export function useDraft(first: object, values: object, isKept: boolean): void {
  const { pathname } = useLocation();

  // The store is outside of React, as it must outlive the page.
  useEffect(
    () => (isKept ? offerDraft(pathname, { first, values }) : undefined),
    [pathname, first, values, isKept],
  );
}
