import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { onSessionEnd, useIsMeridian } from '@meridian/ui/api/session.ts';
import { createStore, useLater } from '@meridian/ui/hooks.ts';
import { showToast } from '@meridian/ui/toasts.ts';

const loadPalette = async () => (await import('./CommandPalette.tsx')).CommandPalette;
const FAILED =
  'The search could not be loaded. Meridian may have been updated since you opened it, or the connection was lost. Reload the page to use it.';

const open = createStore(false);
onSessionEnd(() => open.set(false));

/** The command palette appears here, by Ctrl K or Cmd K. Once, in the shell. */
export function PaletteHost() {
  const isOffered = useIsMeridian();
  const isOpen = open.use();
  const isDue = useLater(isOffered);
  const [Palette, setPalette] = useState<Awaited<ReturnType<typeof loadPalette>>>();

  // Before it is asked for: while it loads, the first letters that are typed would be lost.
  useEffect(() => {
    if (!isDue && !isOpen) return;
    loadPalette().then(
      (loaded) => setPalette(() => loaded),
      () => {
        if (!open.get()) return;
        open.set(false);
        showToast({ message: FAILED, tone: 'red' });
      },
    );
  }, [isDue, isOpen]);

  useEffect(() => {
    if (!isOffered) return undefined;
    function onKeyDown(event: KeyboardEvent) {
      const isAsked = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
      if (!isAsked || event.altKey || event.shiftKey || event.defaultPrevented) return;
      // Over a question that waits for its answer nothing else opens.
      if (document.querySelector('dialog[open][role=alertdialog]') !== null) return;
      event.preventDefault();
      open.set(!open.get());
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOffered]);

  if (!isOffered || !isOpen || Palette === undefined) return null;
  return <Palette onClose={() => open.set(false)} />;
}

const IS_APPLE = /Mac|iPhone|iPad/u.test(navigator.userAgent);

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
        open.set(true);
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
