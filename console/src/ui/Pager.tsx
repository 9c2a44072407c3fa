import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { buttonClass } from './button-class.ts';
import { formatNumber } from './format-number.ts';

/** What a link to another page has to carry. */
export interface PagerLinkProps {
  className: string;
  children: string;
  rel: 'prev' | 'next';
}

export interface PagerProps {
  /** Counted from 1. */
  page: number;
  /** What the words are about, where the rows on screen are still those of another page. */
  shownPage?: number | undefined;
  pageSize: number;
  total: number;
  /** In the plural: 'posts'. */
  noun: string;
  onPage?: ((page: number) => void) | undefined;
  /** Makes links instead of buttons: the page is a place one can open in a new tab. */
  renderLink?: ((page: number, props: PagerLinkProps) => ReactNode) | undefined;
}

/** 'Showing 1 to 20 of 184,306 posts', Previous, Next. Nothing when one page holds all. */
export function Pager({
  page,
  shownPage = page,
  pageSize,
  total,
  noun,
  onPage,
  renderLink,
}: PagerProps) {
  const pages = Math.ceil(total / pageSize);
  if (pages <= 1) return null;
  const from = Math.min((shownPage - 1) * pageSize + 1, total);
  const to = Math.min(shownPage * pageSize, total);

  function step(target: number, name: 'Previous' | 'Next') {
    const possible = target >= 1 && target <= pages;
    if (possible && renderLink !== undefined) {
      const rel = name === 'Next' ? 'next' : 'prev';
      return renderLink(target, { className: buttonClass(), children: name, rel });
    }
    return (
      <Button disabled={!possible} onClick={() => onPage?.(target)}>
        {name}
      </Button>
    );
  }

  return (
    <nav
      aria-label={`Pages of ${noun}`}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-border px-5 py-3"
    >
      <p aria-live="polite" className="text-base text-muted tabular-nums">
        Showing {formatNumber(from)} to {formatNumber(to)} of {formatNumber(total)} {noun}
      </p>
      <div className="flex gap-2">
        {step(page - 1, 'Previous')}
        {step(page + 1, 'Next')}
      </div>
    </nav>
  );
}
