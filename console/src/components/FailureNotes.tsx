import { NotSentError, UnknownOutcomeError } from '../api/unknown-outcome.ts';
import { RequestNote } from './RequestNote.tsx';
import { UnexpectedFormNote } from './UnexpectedFormNote.tsx';

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
