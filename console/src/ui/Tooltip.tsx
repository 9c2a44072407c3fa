import { useRef, type ReactNode } from 'react';
import { cx } from './cx.ts';
import { TooltipBubble } from './TooltipBubble.tsx';
import { useTooltip } from './use-tooltip.ts';

export interface TooltipProps {
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
        // A finger has no hover; its tap must do what the button does.
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
