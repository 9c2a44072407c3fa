import { keepFocusInside } from './keep-focus.ts';
import { useLayoutEffect, useRef, type ReactNode } from 'react';

export interface DrawerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Its name for screen readers. */
  label: string;
  children: ReactNode;
}

/** Slides in from the left over the page: the sidebar of small screens. */
export function Drawer({ open, onOpenChange, label, children }: DrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null);

  // Only calls open and close a modal; the element stays, so that it can slide out again.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null || element.open === open) return;
    if (open) element.showModal();
    else element.close();
  }, [open]);

  return (
    // Escape is the keyboard's way; a press beside the drawer is the finger's.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-label={label}
      className="drawer m-0 me-auto h-dvh max-h-none w-[17rem] max-w-[85vw] border-e border-border bg-ground p-0 text-text shadow-pop backdrop:bg-overlay"
      onKeyDown={keepFocusInside}
      onClose={() => {
        if (open) onOpenChange(false);
      }}
      onPointerDown={(event) => {
        // Its content fills it: what hits the element itself hits its backdrop.
        if (event.target === dialog.current) onOpenChange(false);
      }}
    >
      <div className="flex h-full flex-col">{children}</div>
    </dialog>
  );
}
