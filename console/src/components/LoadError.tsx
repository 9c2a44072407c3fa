import { messageOf } from '../api/api-error.ts';
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

/** A read that failed: the message, and another try. */
export function LoadError({
  error,
  failed,
  describe,
  isRetrying,
  onRetry,
  className,
}: LoadErrorProps) {
  const message = messageOf(error, failed);
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
    </Alert>
  );
}
