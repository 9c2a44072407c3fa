import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { REQUEST_MESSAGES } from '@meridian/contract/requests';
import { Alert, RequestNote } from './Alert.tsx';
import { Button } from './Button.tsx';
import { messageOf, UnexpectedResponseError } from './api/errors.ts';
import { NotSentError, UnknownOutcomeError } from './api/outcome.ts';

/** The part of a read that tells how it failed and tries again. */
export type FailableQuery = Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;

interface LoadErrorProps extends Omit<FailureTextProps, 'error'> {
  query: FailableQuery;
  /** Says the default message too where the server has one of its own. */
  withDefault?: boolean | undefined;
  className?: string | undefined;
}

/** The message of a read that failed, and another try; nothing while it has not. */
export function LoadError(props: LoadErrorProps) {
  const { query, failed, describe, withDefault = false, className } = props;
  const { error, isFetching, refetch } = query;
  if (error === null) return null;
  const hasOwnMessage = messageOf(error, failed) !== failed;
  return (
    <Alert
      className={className}
      title={withDefault && hasOwnMessage ? failed : undefined}
      action={
        <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
          Retry
        </Button>
      }
    >
      <FailureText error={error} failed={failed} describe={describe} />
    </Alert>
  );
}

/** Says quietly that something is missing, for reads whose failure is only logged. */
export function LoadNote({ children, query }: { children: string; query: FailableQuery }) {
  const { error, isFetching, refetch } = query;
  if (error === null) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-base text-muted">
      <output>
        {children}
        <UnexpectedFormNote error={error} />
      </output>
      <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
        Retry
      </Button>
    </div>
  );
}

interface ChangeErrorProps {
  change: { error: unknown; reset: () => void };
  failed: string;
  className?: string | undefined;
}

export function ChangeError({ change: { error, reset }, failed, className }: ChangeErrorProps) {
  if (error === null) return null;
  return (
    <Alert className={className} onDismiss={reset}>
      <FailureText error={error} failed={failed} />
    </Alert>
  );
}

interface FailureTextProps {
  error: unknown;
  failed: string;
  describe?: ((message: string) => string) | undefined;
}

/** The reason of a failure, in the server's words where it has some. */
export function FailureText({ error, failed, describe }: FailureTextProps) {
  const message = messageOf(error, failed);
  return (
    <>
      {describe?.(message) ?? message}
      <FailureNotes error={error} />
    </>
  );
}

export function FailureNotes({ error }: { error: unknown }) {
  return (
    <>
      <RequestNote error={error} />
      <UnexpectedFormNote error={error} />
      {error instanceof NotSentError && (
        <span className={NOTE_CLASS}>You're offline. Nothing was sent.</span>
      )}
      {error instanceof UnknownOutcomeError && (
        <span className={NOTE_CLASS}>
          We don't know whether the change was made.{' '}
          {error.isRepeatable
            ? 'It is safe to try again.'
            : 'Check the current state before you try again.'}
        </span>
      )}
    </>
  );
}

const NOTE_CLASS = 'mt-0.5 block font-normal';

function UnexpectedFormNote({ error }: { error: unknown }) {
  if (!(error instanceof UnexpectedResponseError)) return null;
  return <span className={NOTE_CLASS}>{REQUEST_MESSAGES.unexpectedForm}</span>;
}

/** Stands for the part alone: the rest of the page, and what was typed there, stays. */
function PartError() {
  return (
    <Alert className="mx-5 mb-5">
      This part could not be loaded. Meridian may have been updated since you opened it, or the
      connection was lost. Save your changes, then reload the page.
    </Alert>
  );
}

/** A part whose code is loaded when it is opened. A failed import is not tried again by the browser. */
export function lazyPart<Props>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await load().catch(() => PartError) }));
}
