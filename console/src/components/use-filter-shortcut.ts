import { useLayoutEffect } from 'react';

const TYPING = 'input, textarea, select, [contenteditable], [role=dialog], [role=alertdialog]';
const FIELDS = ['input', 'select', 'button'];

/** `/` puts the cursor into the first filter of the page, unless someone is typing. */
export function useFilterShortcut(): void {
  // Keys are heard by the document, wherever the focus is, and from the first paint on.
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isPlain = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isPlain || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPING) !== null) return;
      const bar = document.querySelector('[data-filters]');
      const fields = FIELDS.map((selector) => bar?.querySelector<HTMLElement>(selector));
      const field = fields.find((found) => found !== null && found !== undefined);
      if (field === undefined || field === null) return;
      event.preventDefault();
      field.focus();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
