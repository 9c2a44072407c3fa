import { messageOf } from '../api/api-error.ts';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { FailureText, type FailureTextProps } from './FailureText.tsx';

export interface LoadErrorProps extends FailureTextProps {
  isRetrying?: boolean | undefined;
  onRetry: () => void;
  /** Says the default message too where the server has one of its own. */
  withDefault?: boolean | undefined;
  className?: string | undefined;
}

/** A read that failed: the message, and another try. */
export function LoadError({
  error,
  failed,
  describe,
  isRetrying,
  onRetry,
  withDefault = false,
  className,
}: LoadErrorProps) {
  const hasOwnMessage = messageOf(error, failed) !== failed;
  return (
    <Alert
      className={className}
      title={withDefault && hasOwnMessage ? failed : undefined}
      action={
        <Button size="sm" busy={isRetrying} onClick={onRetry}>
          Retry
        </Button>
      }
    >
      <FailureText error={error} failed={failed} describe={describe} />
    </Alert>
  );
}
