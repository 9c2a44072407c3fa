import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { FORM_REDIRECT_MS } from '@meridian/contract/requests';
import { Alert } from '../Alert.tsx';
import { Button } from '../Button.tsx';
import { cx } from '../classes.ts';
import { FailureNotes } from '../failures.tsx';
import { LinkButton } from '../links.tsx';
import { toastElementId } from '../toasts.ts';
import { useUnsavedGuard } from './unsaved-changes.ts';
import type { FormState } from './use-form.ts';

export interface FormShellProps extends FormState, FormBarProps {
  /** Cards with the fields. */
  children: ReactNode;
  className?: string | undefined;
}

function unseenError({ submitError, fieldErrors }: FormState): string | undefined {
  return submitError ?? (fieldErrors.length > 0 ? fieldErrors.join('. ') : undefined);
}

/** Around the fields of every form: submit, failure, success and the way on, unsaved changes. */
export function FormShell({
  submitLabel,
  busyLabel,
  cancelTo,
  isLong,
  children,
  className,
  ...state
}: FormShellProps) {
  const { changes, isRestored, loading, success, failures, onSubmit } = state;
  const form = useRef<HTMLFormElement>(null);
  /** Fields behind a switch that is off have no place for what is wrong with them. */
  const [isUnseen, setUnseen] = useState(false);
  const navigate = useNavigate();
  useUnsavedGuard(changes > 0 && success === undefined, loading);

  // Focus is the browser's: it goes to the first field that has to be corrected.
  useEffect(() => {
    if (failures === 0) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid=true]');
    // Prices have a message of their own; the last child is the bar, where the unseen is told.
    const isSaid = form.current?.querySelector(':scope > :not(:last-child) [role=alert]') ?? null;
    setUnseen(field === null && isSaid === null);
    // Not as focus() scrolls, which leaves a field where the bar at the top covers it.
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'nearest' });
  }, [failures]);

  // The message is given time to be read; leaving the page earlier stops the timer.
  useEffect(() => {
    if (success?.to === undefined) return undefined;
    const { to, afterMs = FORM_REDIRECT_MS, toastId } = success;
    // Nothing in the form can be used any more: the message is where to read on.
    if (afterMs > 0) document.getElementById(toastElementId(toastId))?.focus();
    const timer = setTimeout(() => void navigate(to), afterMs);
    return () => clearTimeout(timer);
  }, [success, navigate]);

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    onSubmit();
  }

  return (
    <>
      {isRestored && (
        <output className="mb-3 block text-sm text-muted">
          Your unsaved changes were restored
        </output>
      )}
      <form
        ref={form}
        noValidate
        onSubmit={handleSubmit}
        // What would be typed on the way out is lost without a word.
        inert={success !== undefined}
        className={cx(
          'flex max-w-3xl flex-col gap-4 transition-opacity inert:opacity-60',
          // With its label above it.
          '**:aria-invalid:scroll-mt-10 **:aria-invalid:scroll-mb-10',
          className,
        )}
      >
        {children}
        <FormBar
          state={isUnseen ? { ...state, submitError: unseenError(state) } : state}
          {...{ submitLabel, busyLabel, cancelTo, isLong }}
        />
      </form>
    </>
  );
}

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
function FormBar({
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
