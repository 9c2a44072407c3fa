import type { FailureGroup, FailureReport } from '@meridian/contract/failures';
import { BULK_FEATURE } from '@meridian/contract/requests';
import { isRetryable, RETRY_FEATURE } from '@meridian/contract/retries';
import { useState } from 'react';
import { useAnnounced } from '../../auth/use-announced.ts';
import { BulkDialog } from '../../components/bulk/BulkDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { formatNumber } from '../../ui/format-number.ts';

interface RetryGroupProps {
  group: Pick<FailureGroup, 'cause' | 'retryable'>;
  period: Pick<FailureReport, 'from' | 'to'>;
}

/** Retries what is left of a group, as one change of many posts. */
export function RetryGroup({ group: { cause, retryable }, period }: RetryGroupProps) {
  const [isAsking, setAsking] = useState(false);
  const canRetry = useAnnounced(RETRY_FEATURE);
  const canChangeMany = useAnnounced(BULK_FEATURE);
  if (!canRetry || !canChangeMany || !isRetryable(cause) || retryable === 0) return null;
  const posts = { cause, failedFrom: period.from, failedTo: period.to };
  const close = () => setAsking(false);
  return (
    <>
      <Button className="self-start" onClick={() => setAsking(true)}>
        Retry all {formatNumber(retryable)}
      </Button>
      {isAsking && (
        <BulkDialog
          request={{ action: 'postRetry', label: 'Retry', selection: { posts } }}
          onCancel={close}
          onStarted={close}
        />
      )}
    </>
  );
}
