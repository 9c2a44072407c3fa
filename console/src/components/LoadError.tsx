import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { FailureText, type FailureTextProps } from './FailureText.tsx';

export interface LoadErrorProps extends FailureTextProps {
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
  return (
    <Alert
      className={className}
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
