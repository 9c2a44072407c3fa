import { useEffect, useRef, useState } from 'react';

/** A mouse passing by opens nothing. */
const OPEN_DELAY_MS = 350;
/** Time to move the pointer from the thing onto its tooltip, which may be read and selected. */
const CLOSE_DELAY_MS = 120;

export interface TooltipHandle {
  isOpen: boolean;
  open: () => void;
  openSoon: () => void;
  close: () => void;
  closeSoon: () => void;
}

/** When a tooltip opens and closes; where it stands is the business of TooltipBubble. */
export function useTooltip(): TooltipHandle {
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function set(next: boolean) {
    clearTimeout(timer.current);
    setOpen(next);
  }
  function later(next: boolean, delayMs: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setOpen(next), delayMs);
  }

  // Leaving the page with the pointer on something leaves no timer behind.
  useEffect(() => () => clearTimeout(timer.current), []);

  // Escape closes it without moving pointer or focus, wherever the focus is.
  useEffect(() => {
    if (!isOpen) return undefined;
    function onKeyDown(event: KeyboardEvent) {
      if (event.key === 'Escape') setOpen(false);
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [isOpen]);

  return {
    isOpen,
    open: () => set(true),
    openSoon: () => later(true, OPEN_DELAY_MS),
    close: () => set(false),
    closeSoon: () => later(false, CLOSE_DELAY_MS),
  };
}
