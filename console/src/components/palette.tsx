import { Search } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { onSessionEnd, useIsMeridian } from '@meridian/ui/api/session.ts';
import { useLater } from '@meridian/ui/hooks.ts';
import { showToast } from '@meridian/ui/toasts.ts';

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

const IS_APPLE = /Mac|iPhone|iPad/u.test(navigator.userAgent);

/** Opens the command palette; it also says by which keys. */
export function PaletteButton({ onOpen }: { onOpen?: (() => void) | undefined }) {
  if (!useIsMeridian()) return null;
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      className="mx-3 mb-3 flex h-9 shrink-0 items-center gap-2.5 rounded border border-border-strong bg-surface px-2.5 text-base text-muted transition-colors hover:text-text coarse:h-11"
      onClick={() => {
        onOpen?.();
        setPaletteOpen(true);
      }}
    >
      <Search aria-hidden="true" className="size-4 shrink-0" />
      <span className="flex-1 text-start">Find anything</span>
      <kbd aria-hidden="true" className="font-sans text-xs coarse:hidden">
        {IS_APPLE ? '⌘K' : 'Ctrl K'}
      </kbd>
    </button>
  );
}

let isOpen = false;
const listeners = new Set<() => void>();

function subscribePalette(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const isPaletteOpen = () => isOpen;

function setPaletteOpen(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}
