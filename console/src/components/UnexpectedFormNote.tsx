import { REQUEST_MESSAGES } from '@meridian/contract/requests';
import { UnexpectedResponseError } from '../api/api-error.ts';

/** Tells a response that cannot be read from one that never came. */
export function UnexpectedFormNote({ error }: { error: unknown }) {
  if (!(error instanceof UnexpectedResponseError)) return null;
  return <span className="mt-0.5 block font-normal">{REQUEST_MESSAGES.unexpectedForm}</span>;
}
