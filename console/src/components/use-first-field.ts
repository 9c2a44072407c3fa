import { type RefObject, useEffect } from 'react';

/**
 * On a screen that is there to be filled in, typing can begin at once. Only where nothing has the
 * focus yet: after a link the focus is on the heading of the page.
 */
export function useFirstField(fields: RefObject<HTMLElement | null>): void {
  // Focus is the browser's, and may move only once the fields are in the document.
  useEffect(() => {
    if (document.activeElement !== document.body) return;
    fields.current?.querySelector('input')?.focus();
  }, [fields]);
}
