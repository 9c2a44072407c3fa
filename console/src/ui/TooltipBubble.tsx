import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react';
import { placePopover } from './place-box.ts';
import type { TooltipHandle } from './use-tooltip.ts';

export interface TooltipBubbleProps {
  tooltip: TooltipHandle;
  anchor: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/**
 * The words of an open tooltip. A popover lies in the top layer, so that no scroll box cuts it
 * and no dialog covers it, wherever in the tree it stands.
 */
export function TooltipBubble({ tooltip, anchor, children }: TooltipBubbleProps) {
  const bubble = useRef<HTMLSpanElement>(null);

  // Measured and placed before the paint; from then on a scroll closes it rather than drags it.
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
