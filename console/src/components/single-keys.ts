import { useLayoutEffect } from 'react';
import { readStored, writeStored } from '@meridian/ui/api/browser.ts';
import { showToast } from '@meridian/ui/toasts.ts';

const SINGLE_KEYS = 'meridian_keys';

/** Keys that act by themselves are in the way of those who dictate; the profile menu and the palette turn them off. */
export const areSingleKeysOff = () => readStored(SINGLE_KEYS) === 'off';

export function switchSingleKeys(): void {
  const isOn = areSingleKeysOff();
  writeStored(SINGLE_KEYS, isOn ? null : 'off');
  showToast({ message: `Single-key shortcuts are ${isOn ? 'on' : 'off'}`, tone: 'green' });
}

/** Letters and signs are typed here; in a menu they lead to its entries. */
const TYPING = 'input, textarea, select, [contenteditable], dialog, [role=menu]';
const FIELDS = ['input', 'select', 'button'];

/** `/` puts the cursor into the first filter of the page, unless someone is typing or has turned such keys off. */
export function useFilterShortcut(): void {
  // A layout effect, so that the key works from the first paint on.
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
