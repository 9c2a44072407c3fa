import { confirm } from '../dialogs/dialog-store.ts';
import { withdrawDrafts } from './drafts.ts';

/** The forms on screen that hold something unsaved. */
const dirtyForms = new Set<symbol>();

export function markUnsaved(): () => void {
  const form = Symbol('form');
  dirtyForms.add(form);
  return () => dirtyForms.delete(form);
}

/** Asks before unsaved changes are lost; true when there are none, or none worth keeping. */
export async function mayLeave(): Promise<boolean> {
  if (dirtyForms.size === 0) return true;
  const isWanted = await confirm({
    title: 'Discard unsaved changes?',
    body: 'If you leave this page now, the changes you made will be lost.',
    danger: true,
    run: () => Promise.resolve(),
    failed: '',
  });
  if (isWanted) withdrawDrafts();
  return isWanted;
}
