import type { FailureGroup, FailureReport } from '@meridian/contract/failures';
import { isRetryable } from '@meridian/contract/causes';
import type { BulkRequest } from '../../components/bulk/bulk-actions.ts';
import { Button } from '../../ui/Button.tsx';
import { formatNumber } from '../../ui/format-number.ts';

interface RetryGroupProps {
  group: Pick<FailureGroup, 'cause' | 'retryable'>;
  period: Pick<FailureReport, 'from' | 'to'>;
  onAsk: (request: BulkRequest) => void;
}

/** Retries what is left of a group, as one change of many posts. */
export function RetryGroup({ group: { cause, retryable }, period, onAsk }: RetryGroupProps) {
  if (!isRetryable(cause) || retryable === 0) return null;
  const posts = { cause, failedFrom: period.from, failedTo: period.to };
  return (
    <Button
      className="self-start"
      onClick={() => onAsk({ action: 'postRetry', label: 'Retry', selection: { posts } })}
    >
      Retry all {formatNumber(retryable)}
    </Button>
  );
}
