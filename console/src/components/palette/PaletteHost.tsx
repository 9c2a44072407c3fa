import { useEffect, useState, useSyncExternalStore } from 'react';
import { onSessionEnd } from '../../api/session-end.ts';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { showToast } from '../../ui/toast-store.ts';
import { useLater } from '../use-later.ts';
import { isPaletteOpen, setPaletteOpen, subscribePalette } from './palette-store.ts';

const loadPalette = async () => (await import('./CommandPalette.tsx')).CommandPalette;
const FAILED =
  'The search could not be loaded. Meridian may have been updated since you opened it, or the connection was lost. Reload the page to use it.';

onSessionEnd(() => setPaletteOpen(false));

/** Where the command palette appears, by Ctrl K or Cmd K. Once, in the shell. */
export function PaletteHost() {
  const isOffered = useIsMeridian();
  const isOpen = useSyncExternalStore(subscribePalette, isPaletteOpen);
  const isDue = useLater(isOffered);
  const [Palette, setPalette] = useState<Awaited<ReturnType<typeof loadPalette>>>();

  // Before it is asked for: while it loads, the first letters that are typed would be lost.
  useEffect(() => {
    if (!isDue && !isOpen) return;
    loadPalette().then(
      (loaded) => setPalette(() => loaded),
      () => {
        // Nothing on the page may be lost for it.
        if (!isPaletteOpen()) return;
        setPaletteOpen(false);
        showToast({ message: FAILED, tone: 'red' });
      },
    );
  }, [isDue, isOpen]);

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

  if (!isOffered || !isOpen || Palette === undefined) return null;
  return <Palette onClose={() => setPaletteOpen(false)} />;
}
