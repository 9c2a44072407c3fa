import { FORM_REDIRECT_MS } from '@meridian/contract/requests';
import { type ReactNode, type SubmitEvent, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { cx } from '../../ui/cx.ts';
import { LinkButton } from '../navigation/LinkButton.tsx';
import type { FormState } from './use-form.ts';
import { useUnsavedGuard } from './use-unsaved-guard.ts';

export interface FormShellProps extends FormState {
  submitLabel: string;
  /** 'Creating...' */
  busyLabel: string;
  cancelTo?: string | undefined;
  /** Cards with the fields. */
  children: ReactNode;
  className?: string | undefined;
}

/** Around the fields of every form: submit, failure, success and the way on, unsaved changes. */
export function FormShell({
  loading,
  submitError,
  isDirty,
  success,
  failures,
  onSubmit,
  submitLabel,
  busyLabel,
  cancelTo,
  children,
  className,
}: FormShellProps) {
  const form = useRef<HTMLFormElement>(null);
  const navigate = useNavigate();
  useUnsavedGuard(isDirty && success === undefined);

  // Focus is the browser's: it goes to the first field that has to be corrected.
  useEffect(() => {
    if (failures === 0) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }, [failures]);

  // The message is given time to be read; whoever leaves before is not called back.
  useEffect(() => {
    const { to, afterMs = FORM_REDIRECT_MS } = success ?? {};
    if (to === undefined) return undefined;
    const timer = setTimeout(() => void navigate(to), afterMs);
    return () => clearTimeout(timer);
  }, [success, navigate]);

  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    onSubmit();
  }

  return (
    <form
      ref={form}
      noValidate
      onSubmit={handleSubmit}
      className={cx('flex max-w-3xl flex-col gap-4', className)}
    >
      {children}
      {submitError !== undefined && <Alert>{submitError}</Alert>}
      <div className="flex flex-wrap gap-2">
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
      </div>
    </form>
  );
}
