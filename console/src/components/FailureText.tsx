import { messageOf } from '../api/api-error.ts';
import { FailureNotes } from './FailureNotes.tsx';

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
