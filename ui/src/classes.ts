export function cx(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ');
}

export type ButtonVariant = 'primary' | 'secondary' | 'danger' | 'danger-quiet' | 'ghost';

export interface ButtonLook {
  variant?: ButtonVariant | undefined;
  size?: keyof typeof SIZES | undefined;
  wide?: boolean | undefined;
  square?: boolean | undefined;
}

const BASE =
  'relative inline-flex max-w-full shrink-0 items-center justify-center gap-1.5 rounded border text-center font-medium select-none transition-colors ' +
  'disabled:opacity-50 aria-busy:cursor-progress';

const VARIANTS: Record<ButtonVariant, string> = {
  primary:
    'border-transparent bg-accent-fill text-on-accent not-disabled:hover:bg-accent-fill-hover',
  secondary:
    'border-border-strong bg-surface text-text shadow-card not-disabled:hover:bg-hover not-disabled:active:bg-sunken',
  danger:
    'border-transparent bg-danger-fill text-on-accent not-disabled:hover:bg-danger-fill-hover',
  'danger-quiet':
    'border-danger-border bg-surface text-danger shadow-card not-disabled:hover:bg-red-tint',
  ghost: 'border-transparent text-muted not-disabled:hover:bg-sunken not-disabled:hover:text-text',
};

const SIZES = {
  sm: { height: 'min-h-control-sm text-sm', padding: 'px-2.5', square: 'w-control-sm' },
  md: { height: 'min-h-control text-base', padding: 'px-3', square: 'w-control' },
  lg: { height: 'min-h-control-lg text-base', padding: 'px-4', square: 'w-control-lg' },
};

/** The look of a button, for a link or anything else that has to look like one. */
export function buttonClass(
  { variant = 'secondary', size = 'md', wide = false, square = false }: ButtonLook = {},
  className?: string,
): string {
  const { height, padding, square: width } = SIZES[size];
  const shape = square ? `${width} [&_svg]:size-4` : padding;
  return cx(BASE, VARIANTS[variant], height, shape, wide && 'w-full', className);
}

export const INPUT_CLASS =
  'w-full min-w-0 rounded border border-border-control bg-surface px-3 text-base text-text transition-colors ' +
  'hover:border-muted focus-visible:outline-offset-0 aria-invalid:border-danger ' +
  'disabled:border-border-strong disabled:bg-sunken disabled:text-muted';

export const INPUT_HEIGHT = 'h-control';

/** A field that can be copied from. Not by `:read-only`, which every button is as well. */
export const READ_ONLY_CLASS = 'border-border-strong! bg-sunken!';

/** One line, which scrolls inside its own box where it does not fit. */
export const SCROLL_ROW_CLASS =
  'relative overflow-x-auto overscroll-x-contain [scrollbar-width:none] [&_button]:focus-visible:-outline-offset-2';

export const GROOVE_CLASS =
  'inline-flex max-w-full gap-0.5 rounded-lg border border-transparent bg-groove p-0.5';

export const SEGMENT_CLASS =
  'relative inline-flex min-h-[1.875rem] items-center gap-1.5 rounded-[0.5625rem] border border-transparent px-3 text-sm font-medium whitespace-nowrap text-muted select-none transition-colors hover:text-text coarse:min-h-control';

export const SEGMENT_ON_CLASS = 'border-border bg-segment text-text shadow-card';
