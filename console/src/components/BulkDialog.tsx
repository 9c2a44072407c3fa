import { useDeferredValue, useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import {
  BULK_MESSAGES,
  BULK_TYPED_BEYOND,
  bulkList,
  bulkPreview,
  type BulkPreview,
  bulkStart,
} from '@meridian/contract/bulk';
import { firstLanguage } from '@meridian/contract/untrusted';
import { Alert, RequestNote } from '@meridian/ui/Alert.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Menu, MenuItem } from '@meridian/ui/Menu.tsx';
import { SafeText, truncateGraphemes } from '@meridian/ui/SafeText.tsx';
import { ApiError, messageOf } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { ReasonField } from '@meridian/ui/dialog-host.tsx';
import { DialogFrame } from '@meridian/ui/dialogs.tsx';
import { FailureText } from '@meridian/ui/failures.tsx';
import { TextField } from '@meridian/ui/fields.tsx';
import { formatNumber } from '@meridian/ui/format.ts';
import { useRunOnce } from '@meridian/ui/hooks.ts';
import type { SelectionBarProps } from '@meridian/ui/list/selection.ts';
import { showToast } from '@meridian/ui/toasts.ts';
import { statusLabel } from './badges.tsx';
import { BULK_CHOICES, type BulkRequest, bulkTitle, matching } from './bulk-actions.ts';

export interface BulkBarProps extends SelectionBarProps {
  of: keyof typeof BULK_CHOICES;
  /** The filters in force, without order and page; undefined where only selected rows can be named. */
  filter?: Readonly<Record<string, string>> | undefined;
}

/** The actions on the selected rows: a bar over the foot of the window, which moves nothing. */
export function BulkBar({ of, filter, selection, total, isCapped = false, noun }: BulkBarProps) {
  const [request, setRequest] = useState<BulkRequest>();
  const { ids, isAll } = selection;
  const rows = isAll ? matching(of, filter ?? {}) : { ids: [...ids] };
  const found = total ?? ids.size;
  const foundWords = `${formatNumber(found)}${isCapped ? '+' : ''}`;
  const words = isAll
    ? `All ${foundWords} ${noun} that match`
    : `${formatNumber(ids.size)} selected`;
  // Empty at first: screen readers pass over a live region that comes with its words.
  const spoken = useDeferredValue(words, '');
  const offersAll = filter !== undefined && !isAll && found > ids.size;
  return createPortal(
    <section
      aria-label="Selection"
      data-print="hide"
      className="fixed inset-x-0 bottom-0 z-20 border-t border-border bg-raised shadow-pop lg:left-60"
    >
      <div className="mx-auto flex max-w-[85rem] flex-wrap items-center gap-x-3 gap-y-2 px-4 py-2.5 sm:px-6 lg:px-10">
        <output className="text-base font-medium tabular-nums">{spoken}</output>
        <Button size="sm" variant="ghost" onClick={() => selection.selectPage(true)}>
          Select page
        </Button>
        <Button size="sm" variant="ghost" onClick={selection.clear}>
          Clear
        </Button>
        {offersAll && (
          <Button
            size="sm"
            variant="ghost"
            className="max-sm:-ms-2.5"
            onClick={selection.selectAll}
          >
            Select all {foundWords} that match
          </Button>
        )}
        <div className="ms-auto">
          <Menu
            side="top"
            align="end"
            trigger={
              <Button size="sm" variant="primary">
                Actions
              </Button>
            }
          >
            {BULK_CHOICES[of].map((choice) => (
              <MenuItem
                key={choice.label}
                danger={choice.danger}
                onSelect={() => setRequest({ ...choice, selection: rows })}
              >
                {choice.label}
              </MenuItem>
            ))}
          </Menu>
        </div>
      </div>
      {request !== undefined && (
        <BulkDialog
          request={request}
          onCancel={() => setRequest(undefined)}
          onStarted={() => {
            setRequest(undefined);
            selection.clear();
          }}
        />
      )}
    </section>,
    document.body,
  );
}

const OUTDATED = new Set<string | undefined>(['bulk_set_changed', 'bulk_preview_expired']);

function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && OUTDATED.has(error.code);
}

interface BulkDialogProps {
  request: BulkRequest;
  onCancel: () => void;
  onStarted: () => void;
}

/** Tells what will happen to how many rows, with examples, then asks, for exactly these rows. */
export function BulkDialog({ request, onCancel, onStarted }: BulkDialogProps) {
  const { action, value, label, danger } = request;
  const { preview, found, look } = useBulkPreview(request);
  const start = useEndpointMutation(bulkStart, { invalidates: [bulkList] });
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [isWrong, setWrong] = useState(false);
  const typedId = useId();
  const safeButton = useRef<HTMLButtonElement>(null);
  const runOnce = useRunOnce();
  const mustType = (found?.count ?? 0) > BULK_TYPED_BEYOND;
  const hasChanged = isOutdated(start.error);

  async function submit() {
    if (found === undefined || found.count === 0) return;
    const { token, count } = found;
    if (mustType && typed.replaceAll(/[\s,.]/g, '') !== String(count)) {
      setWrong(true);
      document.getElementById(typedId)?.focus();
      return;
    }
    try {
      await start.mutateAsync({
        body: { token, ...(mustType && { typedCount: count }) },
        reason: reason.trim() || undefined,
      });
    } catch (error) {
      // Other rows may match by now: they are shown, and the question is asked again.
      if (isOutdated(error)) {
        setTyped('');
        look();
      }
      return;
    }
    showToast({ message: `Started: ${bulkTitle(action, value, count)}` });
    onStarted();
  }

  return (
    <DialogFrame
      asks
      title={found === undefined ? label : bulkTitle(action, value, found.count)}
      text={
        <>
          {preview.isError && <PreviewError error={preview.error} />}
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
              <CountField
                id={typedId}
                {...{ typed, isWrong }}
                count={found.count}
                onChange={(text) => {
                  setTyped(text);
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
        {preview.isError && <NothingChanged onRetry={look} />}
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

function useBulkPreview({ action, selection, value }: BulkRequest) {
  const preview = useEndpointMutation(bulkPreview);
  const { mutate } = preview;
  const body = { action, selection, ...(value === undefined ? {} : { value }) };
  const look = () => mutate({ body });
  // The server notes the set when the dialog opens, which is a request and not a read of the cache.
  // oxlint-disable-next-line react/exhaustive-deps
  useEffect(look, []);
  return { preview, look, found: preview.isPending ? undefined : preview.data };
}

/** Not FailureText, which speaks of changes: looking makes none. */
function PreviewError({ error }: { error: unknown }) {
  return (
    <Alert>
      {messageOf(error, BULK_MESSAGES.previewFailed)}
      <RequestNote error={error} />
    </Alert>
  );
}

interface CountFieldProps {
  id: string;
  count: number;
  typed: string;
  isWrong: boolean;
  onChange: (text: string) => void;
}

function CountField({ id, count, typed, isWrong, onChange }: CountFieldProps) {
  const words = BULK_MESSAGES.typeCount(count);
  return (
    <TextField
      id={id}
      label={words}
      inputMode="numeric"
      autoComplete="off"
      value={typed}
      error={isWrong ? words : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function NothingChanged({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-base text-muted">
      <output>Nothing was changed.</output>
      <Button size="sm" onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

const EXAMPLE_LENGTH = 90;

function BulkPreviewText({ preview }: { preview: BulkPreview }) {
  const { count, consequences, skipped, examples } = preview;
  if (count === 0) return <p>Nothing matches any more.</p>;
  return (
    <div className="flex flex-col gap-2">
      {consequences.map((sentence) => (
        <p key={sentence} className="text-text">
          {sentence}
        </p>
      ))}
      {skipped.map(({ reason, count: left }) => (
        <p key={reason}>
          {formatNumber(left)} will be skipped: {reason.charAt(0).toLowerCase() + reason.slice(1)}.
        </p>
      ))}
      <ul aria-label="Examples" className="mt-1 rounded border border-border text-sm">
        {examples.map(({ id, label, state, languages }) => (
          <li
            key={id}
            className="flex gap-3 border-t border-border px-3 py-1.5 whitespace-normal first:border-0"
          >
            <span dir="auto" className="line-clamp-2 min-w-0 flex-1">
              <SafeText lang={firstLanguage(languages)}>
                {truncateGraphemes(label, EXAMPLE_LENGTH)}
              </SafeText>
            </span>
            <span className="shrink-0">{statusLabel(state)}</span>
          </li>
        ))}
        {count > examples.length && (
          <li className="border-t border-border px-3 py-1.5">
            and {formatNumber(count - examples.length)} more
          </li>
        )}
      </ul>
    </div>
  );
}
