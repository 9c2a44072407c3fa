import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { Button } from '../Button.tsx';
import { buttonClass } from '../classes.ts';
import { countText, formatNumber } from '../format.ts';
import type { PagePosition } from './params.ts';

interface PagerProps extends Counted {
  page: number;
  span: PageSpan;
  hasNext: boolean;
  renderLink: (
    page: number,
    props: { className: string; children: string; rel: 'prev' | 'next' },
  ) => ReactNode;
}

interface Counted {
  /** There are more rows than the total says. */
  isCapped?: boolean | undefined;
  noun: string;
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

interface PageOfRows {
  page: number;
  pageSize: number;
  /** The number of rows that came, which may be fewer or more than a page. */
  rows: number;
  total: number | undefined;
}

type PageSpan = ReturnType<typeof pageSpan>;

/** The first and last of the rows that came, counted from 1, and a total that they do not disprove. */
export function pageSpan({ page, pageSize, rows, total }: PageOfRows) {
  const before = (page - 1) * pageSize;
  const seen = rows === 0 ? 0 : before + rows;
  const known = total === undefined || total < seen ? undefined : total;
  return { from: Math.min(before + 1, seen), to: seen, total: known, lastPage: lastPage() };

  function lastPage(): number {
    // Without a total a full page is the only sign of another one.
    if (known === undefined) return rows < pageSize ? page : page + 1;
    return rows > 0 && rows >= known ? page : Math.max(1, Math.ceil(known / pageSize));
  }
}

interface Clamp {
  position: PagePosition;
  pageSize: number;
  /** Both undefined while they are not known for certain. */
  total: number | undefined;
  rows: number | undefined;
  goToPage: (page: number) => void;
}

/**
 * True while a page number that no longer exists is being replaced by the last one, or a cursor
 * without rows behind it by the page number.
 */
export function usePageClamp({ position, pageSize, total, rows, goToPage }: Clamp): boolean {
  const { page, cursor } = position;
  const lastPage = total === undefined ? page : Math.max(1, Math.ceil(total / pageSize));
  // Where rows came the page exists, whatever the total says.
  const isStale = rows === 0 && (page > lastPage || cursor !== undefined);
  const target = Math.min(page, lastPage);

  useEffect(() => {
    if (isStale) goToPage(target);
    // goToPage is new on every render and always does the same.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isStale, target]);

  return isStale;
}

interface ListCountProps extends Counted {
  rows: number | undefined;
  total: number | undefined;
}

/** '12 posts', beside the filters, and heard when they change it. */
export function ListCount({ rows, total, isCapped = false, noun }: ListCountProps) {
  const count = total ?? rows ?? 0;
  const unit = count === 1 ? noun.replace(/s$/, '') : noun;
  return (
    <p
      aria-live="polite"
      // Its room is kept while it is empty, so that nothing moves when it comes.
      className="min-h-[1.5em] text-base text-muted tabular-nums @max-4xl:w-full @4xl:w-36 @4xl:text-end"
    >
      {rows !== undefined &&
        `${formatNumber(count)}${isCapped ? '+' : ''} ${unit}${total === undefined ? ' shown' : ''}`}
    </p>
  );
}
