import { messageOf, requestOfFault } from '../api/api-error.ts';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';

export interface LoadErrorProps {
  error: unknown;
  /** The screen's default message. */
  failed: string;
  /** How to word the message: 'Error: …'. */
  describe?: ((message: string) => string) | undefined;
  isRetrying?: boolean | undefined;
  onRetry: () => void;
  className?: string | undefined;
}

/** A read that failed: the message, and another try. A fault of the server names its request. */
export function LoadError({
  error,
  failed,
  describe,
  isRetrying,
  onRetry,
  className,
}: LoadErrorProps) {
  const message = messageOf(error, failed);
  const requestId = requestOfFault(error);
  return (
    <Alert
      className={className}
      action={
        <Button size="sm" busy={isRetrying} onClick={onRetry}>
          Retry
        </Button>
      }
    >
      {describe?.(message) ?? message}
      {requestId !== undefined && (
        <p className="mt-0.5 text-sm font-normal">
          Request <span className="text-mono">{requestId}</span>
        </p>
      )}
    </Alert>
  );
}
