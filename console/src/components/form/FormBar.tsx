import { useEffect, useRef } from 'react';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { FailureNotes } from '../FailureNotes.tsx';
import { LinkButton } from '../navigation/LinkButton.tsx';
import type { FormState } from './use-form.ts';

export interface FormBarProps {
  submitLabel: string;
  /** 'Creating...' */
  busyLabel: string;
  cancelTo?: string | undefined;
  /** For a form longer than the screen: the bar stays in sight and counts what is unsaved. */
  isLong?: boolean | undefined;
}

/** Between the bar and what is scrolled to above it. */
const GAP_PX = 40;

/** The foot of a form: why it failed, the submit button, and the way out. */
export function FormBar({
  state: { loading, submitError, refusal, success, changes },
  submitLabel,
  busyLabel,
  cancelTo,
  isLong = false,
}: FormBarProps & { state: FormState }) {
  const bar = useRef<HTMLDivElement>(null);

  // Scrolling is the browser's: nothing may be scrolled to behind the bar, however high it is.
  useEffect(() => {
    const element = bar.current;
    if (!isLong || element === null) return undefined;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => {
      style.scrollPaddingBottom = `${element.offsetHeight + GAP_PX}px`;
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.scrollPaddingBottom = '';
    };
  }, [isLong]);

  return (
    <div
      ref={bar}
      className={cx(
        'flex min-w-0 flex-col gap-3',
        // Where the screen is very low, the bar would leave no room for the fields.
        isLong &&
          'bottom-0 z-10 -mx-4 max-h-[60dvh] overflow-y-auto border-t border-border bg-ground px-4 py-3 sm:-mx-6 sm:px-6 xl:@4xl:-mx-2 xl:@4xl:px-2 [@media(min-height:24rem)]:sticky',
      )}
    >
      {submitError !== undefined && (
        <Alert>
          {submitError}
          <FailureNotes error={refusal} />
        </Alert>
      )}
      {/* Of a bar over the page they are at its end, away from the checkboxes that pass below it. */}
      <div className={cx('flex flex-wrap items-center gap-2', isLong && 'justify-end')}>
        <Button
          type="submit"
          variant="primary"
          busy={loading}
          busyLabel={busyLabel}
          disabled={success !== undefined}
        >
          {submitLabel}
        </Button>
        {cancelTo !== undefined && <LinkButton to={cancelTo}>Cancel</LinkButton>}
        {isLong && (
          <p className="-order-1 min-w-0 flex-1 basis-24 text-sm text-muted tabular-nums">
            {changes === 0 && 'No unsaved changes'}
            {changes === 1 && '1 unsaved change'}
            {changes > 1 && `${changes} unsaved changes`}
          </p>
        )}
      </div>
    </div>
  );
}
