import type { UseQueryResult } from '@tanstack/react-query';
import { messageOf } from '../api/api-error.ts';
import { Alert } from '../ui/Alert.tsx';
import { Button } from '../ui/Button.tsx';
import { FailureText, type FailureTextProps } from './FailureText.tsx';

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
