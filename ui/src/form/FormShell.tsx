import { type ReactNode, useEffect, useRef, useState } from 'react';
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

interface FormShellProps extends FormState, FormBarLabels {
  children: ReactNode;
  className?: string | undefined;
}

/** Around the fields of every form: submit, failure, success and the way on, unsaved changes. */
export function FormShell({ children, className, ...bar }: FormShellProps) {
  const { changes, isRestored, loading, success, failures, onSubmit } = bar;
  const form = useRef<HTMLFormElement>(null);
  /** Fields behind a switch that is off have no place for what is wrong with them. */
  const [isUnseen, setUnseen] = useState(false);
  const navigate = useNavigate();
  useUnsavedGuard(changes > 0 && success === undefined, loading);

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
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
        inert={success !== undefined}
        className={cx(
          'flex max-w-3xl flex-col gap-4 transition-opacity inert:opacity-60',
          '**:aria-invalid:scroll-mt-10 **:aria-invalid:scroll-mb-10',
          className,
        )}
      >
        {children}
        <FormBar {...bar} unseenErrors={isUnseen ? bar.fieldErrors : []} />
      </form>
    </>
  );
}

interface FormBarLabels {
  submitLabel: string;
  busyLabel: string;
  cancelTo?: string | undefined;
  isLong?: boolean | undefined;
}

const GAP_PX = 40;

interface FormBarProps extends FormState, FormBarLabels {
  unseenErrors: readonly string[];
}

function FormBar({ loading, refusal, success, changes, isLong = false, ...props }: FormBarProps) {
  const { submitLabel, busyLabel, cancelTo, unseenErrors } = props;
  const submitError = props.submitError ?? (unseenErrors.join('. ') || undefined);
  const bar = useRef<HTMLDivElement>(null);

  // Nothing may be scrolled to behind the bar, however high it is.
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
      {/* In a bar over the page they are at its end, away from the checkboxes that pass below it. */}
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
