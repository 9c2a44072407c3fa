import { Alert } from '../ui/Alert.tsx';
import { FailureText } from './FailureText.tsx';

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
