import {
  BULK_MESSAGES,
  BULK_TYPED_BEYOND,
  bulkList,
  bulkPreview,
  bulkStart,
} from '@meridian/contract/bulk';
import { useEffect, useId, useRef, useState } from 'react';
import { ApiError, messageOf } from '../../api/api-error.ts';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { DialogFrame } from '../../ui/DialogFrame.tsx';
import { TextField } from '../../ui/TextField.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { ReasonField } from '../dialogs/ReasonField.tsx';
import { FailureText } from '../FailureText.tsx';
import { RequestNote } from '../RequestNote.tsx';
import { useRunOnce } from '../use-run-once.ts';
import { type BulkRequest, bulkTitle } from './bulk-actions.ts';
import { BulkPreviewText } from './BulkPreviewText.tsx';

const OUTDATED = new Set<string | undefined>(['bulk_set_changed', 'bulk_preview_expired']);

function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && OUTDATED.has(error.code);
}

interface BulkDialogProps {
  request: BulkRequest;
  onCancel: () => void;
  onStarted: () => void;
}

/** What will happen, to how many, with examples; then the question. It holds for exactly these rows. */
export function BulkDialog({ request, onCancel, onStarted }: BulkDialogProps) {
  const { action, value, selection, label, danger } = request;
  const preview = useEndpointMutation(bulkPreview);
  const start = useEndpointMutation(bulkStart, { invalidates: [bulkList] });
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [isWrong, setWrong] = useState(false);
  const typedId = useId();
  const safeButton = useRef<HTMLButtonElement>(null);
  const runOnce = useRunOnce();
  const { mutate } = preview;
  const body = { action, selection, ...(value === undefined ? {} : { value }) };
  const look = () => mutate({ body });
  // The set is written down when the dialog opens, which is a request and not a read of the cache.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(look, []);

  const found = preview.isPending ? undefined : preview.data;
  const mustType = (found?.count ?? 0) > BULK_TYPED_BEYOND;
  const hasChanged = isOutdated(start.error);

  async function submit() {
    if (found === undefined || found.count === 0) return;
    const { token, count } = found;
    if (mustType && typed.replaceAll(/[\s,.]/g, '') !== String(count)) {
      setWrong(true);
      // To the field that has to be corrected, as in every form.
      document.getElementById(typedId)?.focus();
      return;
    }
    try {
      await start.mutateAsync({
        body: { token, ...(mustType && { typedCount: count }) },
        reason: reason.trim() || undefined,
      });
    } catch (error) {
      // The rows that match may be others by now: what they are is shown, and asked again.
      if (isOutdated(error)) {
        setTyped('');
        look();
      }
      return;
    }
    showToast({ message: `Started: ${bulkTitle(action, value, count)}` });
    onStarted();
  }

  const title = found === undefined ? label : bulkTitle(action, value, found.count);
  return (
    <DialogFrame
      asks
      title={title}
      text={
        <>
          {preview.isError && (
            <Alert>
              {/* Not FailureText, which speaks of changes: looking makes none. */}
              {messageOf(preview.error, BULK_MESSAGES.previewFailed)}
              <RequestNote error={preview.error} />
            </Alert>
          )}
          {preview.isPending && <output>Finding out what would change...</output>}
          {found !== undefined && <BulkPreviewText preview={found} />}
        </>
      }
      initialFocus={safeButton}
      onDismiss={() => !start.isPending && onCancel()}
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void runOnce(submit);
        }}
      >
        {found !== undefined && found.count > 0 && (
          <>
            {mustType && (
              <TextField
                id={typedId}
                label={BULK_MESSAGES.typeCount(found.count)}
                inputMode="numeric"
                autoComplete="off"
                value={typed}
                error={isWrong ? BULK_MESSAGES.typeCount(found.count) : undefined}
                onChange={(event) => {
                  setTyped(event.target.value);
                  setWrong(false);
                }}
              />
            )}
            <ReasonField of={label} typed={reason} onChange={setReason} />
          </>
        )}
        {start.isError && (
          <Alert tone={hasChanged ? 'amber' : 'red'}>
            <FailureText error={start.error} failed={BULK_MESSAGES.startFailed} />
          </Alert>
        )}
        {preview.isError && (
          <div className="flex flex-wrap items-center justify-between gap-3 text-base text-muted">
            <output>Nothing was changed.</output>
            <Button size="sm" onClick={look}>
              Retry
            </Button>
          </div>
        )}
        <div className="flex flex-wrap justify-end gap-2">
          <Button ref={safeButton} onClick={() => !start.isPending && onCancel()}>
            Cancel
          </Button>
          <Button
            type="submit"
            variant={danger === true ? 'danger' : 'primary'}
            disabled={found === undefined || found.count === 0}
            busy={start.isPending}
            busyLabel="Starting..."
          >
            Confirm
          </Button>
        </div>
      </form>
    </DialogFrame>
  );
}
