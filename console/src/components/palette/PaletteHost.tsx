import { FIND_FEATURE } from '@meridian/contract/find';
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { onSessionEnd } from '../../api/session-end.ts';
import { useAnnounced } from '../../auth/use-announced.ts';
import { useLater } from '../use-later.ts';
import { isPaletteOpen, setPaletteOpen, subscribePalette } from './palette-store.ts';

const loadPalette = async () => ({
  default: (await import('./CommandPalette.tsx')).CommandPalette,
});
const CommandPalette = lazy(loadPalette);

onSessionEnd(() => setPaletteOpen(false));

/** Where the command palette appears, by Ctrl K or Cmd K. Once, in the shell. */
export function PaletteHost() {
  const isOffered = useAnnounced(FIND_FEATURE);
  const isOpen = useSyncExternalStore(subscribePalette, isPaletteOpen);
  const isDue = useLater(isOffered);

  // Before it is asked for: while it loads, the first letters that are typed would be lost.
  useEffect(() => {
    if (isDue) void loadPalette().catch(() => {});
  }, [isDue]);

  // Keys are heard by the document, wherever the focus is.
  useEffect(() => {
    if (!isOffered) return undefined;
    function onKeyDown(event: KeyboardEvent) {
      const isAsked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isAsked || event.altKey || event.shiftKey || event.defaultPrevented) return;
      // Over a question that waits for its answer nothing else opens.
      if (document.querySelector('dialog[open][role=alertdialog]') !== null) return;
      event.preventDefault();
      setPaletteOpen(!isPaletteOpen());
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOffered]);

  if (!isOffered || !isOpen) return null;
  return (
    <Suspense>
      <CommandPalette onClose={() => setPaletteOpen(false)} />
    </Suspense>
  );
}
