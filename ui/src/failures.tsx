import type { UseQueryResult } from '@tanstack/react-query';
import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import { REQUEST_MESSAGES } from '@meridian/contract/requests';
import { Alert, RequestNote } from './Alert.tsx';
import { Button } from './Button.tsx';
import { messageOf, UnexpectedResponseError } from './api/errors.ts';
import { NotSentError, UnknownOutcomeError } from './api/outcome.ts';

/** What of a read tells how it failed, and tries again. */
export type FailableQuery = Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>;

export interface LoadErrorProps extends Omit<FailureTextProps, 'error'> {
  query: FailableQuery;
  /** Says the default message too where the server has one of its own. */
  withDefault?: boolean | undefined;
  className?: string | undefined;
}

/** A read that failed: the message, and another try. Nothing while it has not. */
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

export interface LoadNoteProps {
  children: string;
  query: FailableQuery;
}

/** For reads whose failure is only logged: it says quietly that something is missing. */
export function LoadNote({ children, query: { error, isFetching, refetch } }: LoadNoteProps) {
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
  /** The screen's default message. */
  failed: string;
  className?: string | undefined;
}

/** Why the last attempt at a change failed, until it is dismissed or tried again. */
export function ChangeError({ change: { error, reset }, failed, className }: ChangeErrorProps) {
  if (error === null) return null;
  return (
    <Alert className={className} onDismiss={reset}>
      <FailureText error={error} failed={failed} />
    </Alert>
  );
}

export interface FailureTextProps {
  error: unknown;
  /** The screen's default message. */
  failed: string;
  /** How to word the message: 'Error: …'. */
  describe?: ((message: string) => string) | undefined;
}

/** Why something failed, in the server's words where it has some. */
export function FailureText({ error, failed, describe }: FailureTextProps) {
  const message = messageOf(error, failed);
  return (
    <>
      {describe?.(message) ?? message}
      <FailureNotes error={error} />
    </>
  );
}

/** What to know about a failure besides its message: the request, and whether it changed anything. */
export function FailureNotes({ error }: { error: unknown }) {
  return (
    <>
      <RequestNote error={error} />
      <UnexpectedFormNote error={error} />
      {error instanceof NotSentError && (
        <span className="mt-0.5 block font-normal">You're offline. Nothing was sent.</span>
      )}
      {error instanceof UnknownOutcomeError && (
        <span className="mt-0.5 block font-normal">
          We don't know whether the change was made.{' '}
          {error.isRepeatable
            ? 'It is safe to try again.'
            : 'Check the current state before you try again.'}
        </span>
      )}
    </>
  );
}

/** Tells a response that cannot be read from one that never came. */
function UnexpectedFormNote({ error }: { error: unknown }) {
  if (!(error instanceof UnexpectedResponseError)) return null;
  return <span className="mt-0.5 block font-normal">{REQUEST_MESSAGES.unexpectedForm}</span>;
}

/** In its place: the rest of the page stays as it is, and with it what was typed there. */
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
