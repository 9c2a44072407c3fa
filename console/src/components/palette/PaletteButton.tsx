import { Search } from 'lucide-react';
import { useIsMeridian } from '../../auth/use-is-meridian.ts';
import { setPaletteOpen } from './palette-store.ts';

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
