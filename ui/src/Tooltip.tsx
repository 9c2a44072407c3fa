import {
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { cx } from './classes.ts';

interface TooltipProps {
  content: ReactNode;
  children: ReactNode;
  className?: string | undefined;
}

/** Words on hover and focus. The children must be something that can have the focus. */
export function Tooltip({ content, children, className }: TooltipProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const tooltip = useTooltip();
  return (
    <span
      ref={anchor}
      className={cx('inline-flex', className)}
      onPointerEnter={(event) => {
        if (event.pointerType === 'mouse') tooltip.openSoon();
      }}
      onPointerLeave={tooltip.closeSoon}
      onPointerDown={tooltip.close}
      onFocus={(event) => {
        if (event.target.matches(':focus-visible')) tooltip.open();
      }}
      onBlur={tooltip.close}
    >
      {children}
      {tooltip.isOpen && (
        <TooltipBubble tooltip={tooltip} anchor={anchor}>
          {content}
        </TooltipBubble>
      )}
    </span>
  );
}

interface TooltipBubbleProps {
  tooltip: TooltipHandle;
  anchor: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/** The words of an open tooltip. No scroll box cuts a popover, and no dialog covers it. */
export function TooltipBubble({ tooltip, anchor, children }: TooltipBubbleProps) {
  const bubble = useRef<HTMLSpanElement>(null);

  useLayoutEffect(() => {
    const element = bubble.current;
    const target = anchor.current;
    if (element === null || target === null) return undefined;
    element.showPopover();
    placePopover(element, target, { side: 'top', align: 'center' });
    window.addEventListener('scroll', tooltip.close, { capture: true, once: true });
    return () => {
      window.removeEventListener('scroll', tooltip.close, { capture: true });
      element.hidePopover();
    };
    // Placed once per opening; the handle is new on every render but always does the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, []);

  return (
    <span
      ref={bubble}
      role="tooltip"
      popover="manual"
      className="pointer-events-auto fixed inset-auto m-0 w-max max-w-72 rounded-sm border border-border bg-raised px-2.5 py-1.5 text-xs font-medium whitespace-pre-line text-text shadow-pop transition-opacity starting:opacity-0"
      onPointerEnter={tooltip.open}
      onPointerLeave={tooltip.closeSoon}
    >
      {children}
    </span>
  );
}

const OPEN_DELAY_MS = 350;
/** Time to move the pointer from the thing onto its tooltip, which may be read and selected. */
const CLOSE_DELAY_MS = 120;

type TooltipHandle = ReturnType<typeof useTooltip>;

export function useTooltip() {
  const [isOpen, setOpen] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  function set(next: boolean) {
    clearTimeout(timer.current);
    setOpen(next);
  }
  function setLater(next: boolean, delayMs: number) {
    clearTimeout(timer.current);
    timer.current = setTimeout(setOpen, delayMs, next);
  }

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
    openSoon: () => setLater(true, OPEN_DELAY_MS),
    close: () => set(false),
    closeSoon: () => setLater(false, CLOSE_DELAY_MS),
  };
}

interface Size {
  width: number;
  height: number;
}

export interface Placement {
  side: 'top' | 'bottom';
  align: 'start' | 'center' | 'end';
}

const GAP = 6;
const MARGIN = 8;

/** On the wanted side, or on the other one where only that has room, and within the window. */
export function placeBox(
  anchor: Size & { top: number; left: number },
  box: Size,
  view: Size,
  { side, align }: Placement,
): { top: number; left: number } {
  const above = anchor.top - GAP - box.height;
  const below = anchor.top + anchor.height + GAP;
  const fitsAbove = above >= MARGIN;
  const fitsBelow = below + box.height <= view.height - MARGIN;
  const isAbove = side === 'top' ? fitsAbove || !fitsBelow : fitsAbove && !fitsBelow;

  const spare = anchor.width - box.width;
  const wanted = anchor.left + { start: 0, center: spare / 2, end: spare }[align];
  const left = Math.max(MARGIN, Math.min(wanted, view.width - MARGIN - box.width));
  return { top: isAbove ? above : below, left };
}

export function placePopover(popover: HTMLElement, anchor: HTMLElement, placement: Placement) {
  const view = { width: document.documentElement.clientWidth, height: window.innerHeight };
  const [from, box] = [anchor.getBoundingClientRect(), popover.getBoundingClientRect()];
  const { top, left } = placeBox(from, box, view, placement);
  popover.style.top = `${top}px`;
  popover.style.left = `${left}px`;
}
