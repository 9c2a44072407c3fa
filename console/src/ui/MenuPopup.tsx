import {
  useEffect,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { cx } from './cx.ts';
import { MenuCloseContext } from './menu-context.ts';
import { menuTarget } from './menu-keys.ts';
import { placePopover, type Placement } from './place-box.ts';

interface MenuPopupProps {
  id: string;
  labelledBy: string;
  anchor: RefObject<HTMLElement | null>;
  placement: Placement;
  focusFirst: boolean;
  onClose: (returnFocus: boolean) => void;
  className: string | undefined;
  children: ReactNode;
}

const ENTRIES = '[role^=menuitem]';

/** The pointer takes the focus along, so that there is one highlight and not two. */
function handlePointerMove(event: PointerEvent) {
  if (event.pointerType !== 'mouse' || !(event.target instanceof Element)) return;
  event.target.closest<HTMLElement>(ENTRIES)?.focus({ preventScroll: true });
}

/** Mounted means open. A popover: above everything, and cut by no scroll box. */
export function MenuPopup({
  id,
  labelledBy,
  anchor,
  placement,
  focusFirst,
  onClose,
  className,
  children,
}: MenuPopupProps) {
  const popup = useRef<HTMLDivElement>(null);
  const entries = () => [...(popup.current?.querySelectorAll<HTMLElement>(ENTRIES) ?? [])];

  // Shown, placed and focused before the paint, once.
  useLayoutEffect(() => {
    const element = popup.current;
    if (element === null || anchor.current === null) return undefined;
    element.showPopover();
    placePopover(element, anchor.current, placement);
    (focusFirst ? (entries()[0] ?? element) : element).focus();
    return () => element.hidePopover();
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  // A press anywhere else closes it and does there what it would have done anyway.
  useEffect(() => {
    function onPointerDown(event: globalThis.PointerEvent) {
      const isInside = event.target instanceof Node && anchor.current?.contains(event.target);
      if (isInside !== true) onClose(false);
    }
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  });

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key === 'Escape' || event.key === 'Tab') {
      // Only the menu is closed, not the drawer it may lie in.
      event.stopPropagation();
      if (event.key === 'Escape') event.preventDefault();
      onClose(true);
      return;
    }
    if (event.key === ' ' && document.activeElement instanceof HTMLAnchorElement) {
      // Space presses a button by itself, a link it would scroll past.
      event.preventDefault();
      document.activeElement.click();
      return;
    }
    const list = entries();
    const target = menuTarget(
      event.key,
      list.map((entry) => ({ text: entry.textContent })),
      list.findIndex((entry) => entry === document.activeElement),
    );
    if (target === undefined) return;
    event.preventDefault();
    list[target]?.focus();
  }

  return (
    <div
      ref={popup}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-labelledby={labelledBy}
      popover="manual"
      onKeyDown={handleKeyDown}
      onPointerMove={handlePointerMove}
      className={cx(
        'fixed inset-auto m-0 max-h-[calc(100dvh-1rem)] max-w-[calc(100vw-1rem)] min-w-[min(12rem,100vw-1rem)] overflow-y-auto rounded border border-border bg-raised p-1 text-text shadow-pop transition-opacity starting:opacity-0',
        className,
      )}
    >
      <MenuCloseContext value={() => onClose(true)}>{children}</MenuCloseContext>
    </div>
  );
}
