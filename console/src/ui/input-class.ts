/** The look shared by everything one types or chooses in. */
export const INPUT_CLASS =
  'w-full min-w-0 rounded border border-border-control bg-surface px-3 text-base text-text transition-colors ' +
  'hover:border-muted focus-visible:outline-offset-0 aria-invalid:border-danger ' +
  'disabled:border-border-strong disabled:bg-sunken disabled:text-muted';

export const INPUT_HEIGHT = 'h-control';

/** Can be read and copied, not changed. Not by `:read-only`, which every button is as well. */
export const READ_ONLY_CLASS = 'border-border-strong! bg-sunken!';
