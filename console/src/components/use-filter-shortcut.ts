import { useLayoutEffect } from 'react';
import { areSingleKeysOff } from './single-keys.ts';

/** In a menu letters and signs are for its entries. */
const TYPING = 'input, textarea, select, [contenteditable], dialog, [role=menu]';
const FIELDS = ['input', 'select', 'button'];

/** `/` puts the cursor into the first filter of the page, unless someone is typing or has turned such keys off. */
export function useFilterShortcut(): void {
  // Keys are heard by the document, wherever the focus is, and from the first paint on.
  useLayoutEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      const isPlain = event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey;
      if (!isPlain || event.defaultPrevented || areSingleKeysOff()) return;
      if (event.target instanceof Element && event.target.closest(TYPING)) return;
      const bar = document.querySelector('[data-filters]');
      const field = FIELDS.map((name) => bar?.querySelector<HTMLElement>(name)).find(Boolean);
      if (!field) return;
      event.preventDefault();
      field.focus();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
