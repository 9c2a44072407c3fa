import { flushSync } from 'react-dom';

export const COMPOSER_ID = 'composer';

/** To its first text, or to the last. */
export function focusComposer(at: 0 | -1 = 0): void {
  const composer = document.getElementById(COMPOSER_ID);
  composer?.scrollIntoView({ block: 'nearest' });
  [...(composer?.querySelectorAll('textarea') ?? [])].at(at)?.focus();
}

/** Who is in a field that the change replaces writes on in the new one. */
export function keepWriting<T>(change: () => T): T {
  const field = document.activeElement;
  const result = flushSync(change);
  if (field instanceof HTMLTextAreaElement && !field.isConnected) focusComposer();
  return result;
}
