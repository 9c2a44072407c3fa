import { AUDIT_MESSAGES, type AuditEntry, auditReverse } from '@meridian/contract/audit';
import { useQueryClient } from '@tanstack/react-query';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { Badge } from '../../ui/Badge.tsx';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { confirm, inform } from '../dialogs/dialog-store.ts';
import { actionLabel } from './entity-links.tsx';
import { EntryChanges } from './EntryChanges.tsx';
import { EntryDetails } from './EntryDetails.tsx';

/** The details of an entry, and its reversal or why there is none. */
export function EntryActions({ entry }: { entry: AuditEntry }) {
  const client = useQueryClient();
  const reverse = useEndpointMutation(auditReverse);
  const { id, before, after, finalReason, supersededBy } = entry;
  const title = actionLabel(entry.action);
  const about = `${title}, entry ${id}`;

  async function ask() {
    const isDone = await confirm({
      title: 'Reverse Change',
      body: (
        <>
          <p>The fields go back to what they were before entry {id}:</p>
          <div className="mt-2">
            <EntryChanges entry={{ ...entry, before: after, after: before }} />
          </div>
          <p className="mt-2">This is a change of its own, with its own entry.</p>
        </>
      ),
      confirmLabel: 'Reverse',
      busyLabel: 'Reversing...',
      takesReason: true,
      failed: AUDIT_MESSAGES.reverseFailed,
      run: (reason) => reverse.mutateAsync({ params: { id }, reason }),
    });
    // Whether it was reversed or something newer stood: anything on screen may be old.
    void client.invalidateQueries();
    if (isDone) showToast({ message: `Entry ${id} reversed` });
  }

  function showDetails() {
    void inform({ title, body: <EntryDetails entry={entry} /> });
  }

  const isEvent = before === null && after === null;
  return (
    <div className="flex flex-col items-start gap-1.5">
      <div className="flex flex-wrap gap-2">
        <Button size="sm" aria-label={`Details, ${about}`} onClick={showDetails}>
          Details
        </Button>
        {finalReason === null && supersededBy === null && (
          <Button size="sm" aria-label={`Reverse, ${about}`} onClick={() => void ask()}>
            Reverse
          </Button>
        )}
      </div>
      {finalReason !== null && !isEvent && (
        <p className="text-sm text-muted">
          <Badge tone="gray">Final</Badge> {finalReason}
        </p>
      )}
      {finalReason === null && supersededBy !== null && (
        <p className="text-sm text-muted">Superseded by entry {supersededBy}</p>
      )}
    </div>
  );
}
