/** One line, which scrolls inside its own box where it does not fit. */
export const SCROLL_ROW_CLASS =
  'relative overflow-x-auto overscroll-x-contain [scrollbar-width:none] [&_button]:focus-visible:-outline-offset-2';

/** A row of choices in one sunken groove, the chosen one raised out of it. */
export const GROOVE_CLASS =
  'inline-flex max-w-full gap-0.5 rounded-lg border border-transparent bg-groove p-0.5';

export const SEGMENT_CLASS =
  'relative inline-flex min-h-[1.875rem] items-center gap-1.5 rounded-[0.5625rem] border border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted select-none transition-colors hover:text-text coarse:min-h-control';

export const SEGMENT_ON_CLASS = 'border-border bg-segment text-text shadow-card';
