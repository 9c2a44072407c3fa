import {
  type BulkChange,
  BULK_MESSAGES,
  bulkGet,
  bulkIsRunning,
  bulkList,
  bulkResult,
  bulkStop,
} from '@meridian/contract/bulk';
import { useState } from 'react';
import { fetchFile, saveBlob } from '../../api/fetch-file.ts';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { readOutcome } from '../../components/dialogs/read-outcome.ts';
import { FailureText } from '../../components/FailureText.tsx';
import { useRunOnce } from '../../components/use-run-once.ts';
import { Button } from '../../ui/Button.tsx';

/** Stop it while it runs; afterwards, or meanwhile, what happened to each row. */
export function JobActions({ change }: { change: BulkChange }) {
  const { id } = change;
  const stop = useEndpointMutation(bulkStop, { invalidates: [bulkGet, bulkList] });
  const runOnce = useRunOnce();
  const [failure, setFailure] = useState<unknown>();
  const [isSaving, setSaving] = useState(false);
  const params = { id };

  function askToStop() {
    return confirm({
      title: 'Stop',
      body: 'Rows that are changed already stay changed. The others stay as they are.',
      busyLabel: 'Stopping...',
      failed: BULK_MESSAGES.stopFailed,
      run: () => stop.mutateAsync({ params }),
      readOutcome: () => readOutcome(bulkGet, { params }, (now) => now.change.state !== 'RUNNING'),
    });
  }

  async function save() {
    setSaving(true);
    setFailure(undefined);
    try {
      // With the session: a link could carry no token.
      const response = await fetchFile(bulkResult, { params, accept: 'text/csv' });
      saveBlob(await response.blob(), `job-${id}.csv`);
    } catch (error) {
      setFailure(error);
    }
    setSaving(false);
  }

  return (
    <div className="flex flex-wrap items-center gap-2">
      {failure !== undefined && (
        <span role="alert" className="text-sm text-danger">
          <FailureText error={failure} failed={BULK_MESSAGES.resultFailed} />
        </span>
      )}
      <Button busy={isSaving} onClick={() => void runOnce(save)}>
        Result as CSV
      </Button>
      {bulkIsRunning(change) && (
        <Button
          variant="danger-quiet"
          disabled={change.state === 'STOPPING'}
          onClick={() => void askToStop()}
        >
          Stop
        </Button>
      )}
    </div>
  );
}
