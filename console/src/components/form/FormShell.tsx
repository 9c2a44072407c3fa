import { FORM_REDIRECT_MS } from '@meridian/contract/requests';
import { type ReactNode, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { cx } from '../../ui/cx.ts';
import { toastElementId } from '../../ui/toast-store.ts';
import { FormBar, type FormBarProps } from './FormBar.tsx';
import type { FormState } from './use-form.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

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
