import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from './Button.tsx';
import { buttonClass } from './button-class.ts';
import { countText, formatNumber } from './format-number.ts';
import type { PageSpan } from './page-span.ts';

/** What a link to another page has to carry. */
export interface PagerLinkProps {
  className: string;
  children: string;
  rel: 'prev' | 'next';
}

export interface PagerProps {
  /** Counted from 1. */
  page: number;
  /** The rows on screen: of another page, while this one is on its way. */
  span: PageSpan;
  hasNext: boolean;
  /** There are more rows than the total says. */
  isCapped?: boolean | undefined;
  /** In the plural: 'posts'. */
  noun: string;
  /** The page is a place that can be opened in a new tab. */
  renderLink: (page: number, props: PagerLinkProps) => ReactNode;
}

/** 'Showing 1 to 20 of 184,306 posts', Previous, Next. Nothing when one page holds all. */
export function Pager({ page, span, hasNext, isCapped = false, noun, renderLink }: PagerProps) {
  const { from, to, total, lastPage } = span;
  const steps = useRef<HTMLDivElement>(null);
  const focused = useRef(-1);
  // A step that leads nowhere any more is another element: the focus moves over to it, where it
  // would otherwise fall to the body.
  useLayoutEffect(() => {
    if (focused.current < 0 || document.activeElement !== document.body) return;
    const step = steps.current?.children[focused.current];
    if (step instanceof HTMLElement) step.focus({ preventScroll: true });
  });
  // A new page begins at its top; who turned it by keyboard keeps the step in sight, to press it again.
  const shown = useRef({ page, from });
  useEffect(() => {
    if (shown.current.page === page && shown.current.from === from) return;
    shown.current = { page, from };
    steps.current?.querySelector(':focus-visible')?.scrollIntoView({ block: 'nearest' });
  }, [page, from]);
  if (Math.max(lastPage, page) <= 1 && !hasNext) return null;

  function step(target: number, name: 'Previous' | 'Next') {
    if (name === 'Next' ? !hasNext : target < 1) {
      return (
        <Button aria-disabled className="opacity-50 hover:bg-surface!">
          {name}
        </Button>
      );
    }
    const rel = name === 'Next' ? 'next' : 'prev';
    return renderLink(target, { className: buttonClass(), children: name, rel });
  }

  return (
    <nav
      aria-label={`Pages of ${noun}`}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-border px-5 py-3"
    >
      <p aria-live="polite" className="text-base text-muted tabular-nums">
        Showing {formatNumber(from)} to {formatNumber(to)} of {countText(total)}
        {isCapped && '+'} {noun}
      </p>
      <div
        ref={steps}
        className="flex flex-wrap gap-2"
        onFocus={({ currentTarget, target }) => {
          focused.current = [...currentTarget.children].indexOf(target);
        }}
        onBlur={() => {
          focused.current = -1;
        }}
      >
        {step(page - 1, 'Previous')}
        {step(page + 1, 'Next')}
      </div>
    </nav>
  );
}
