import {
  type Assignment,
  ASSIGNMENT_MESSAGES,
  assignmentCan,
  assignmentList,
  assignmentRevoke,
} from '@meridian/contract/assignments';
import { englishOr } from '@meridian/contract/languages';
import { ticketGet } from '@meridian/contract/tickets';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { limitEntries, limitLabel, limitText } from '../../components/limit-text.ts';
import { AssignmentBadge } from '../../components/AssignmentBadge.tsx';
import { TierBadge } from '../../components/TierBadge.tsx';
import { Button } from '../../ui/Button.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { DATE_TIME_WIDTH } from '../../ui/format-time.ts';
import { Mono } from '../../ui/Mono.tsx';
import { Time } from '../../ui/Time.tsx';
import { showToast } from '../../ui/toast-store.ts';

/** Two side by side on a phone, four at most anywhere: more could not be read in order. */
const LIMIT_WIDTH = 'max(5.5rem, 20%)';

interface AssignmentItemProps {
  assignment: Assignment;
  userId: string;
}

export function AssignmentItem({ assignment, userId }: AssignmentItemProps) {
  const revoke = useEndpointMutation(assignmentRevoke, {
    invalidates: [assignmentList, ticketGet],
  });
  const { plan, ticket } = assignment;
  const planName = englishOr(plan.displayName, plan.name);

  async function askToRevoke() {
    const isRevoked = await confirm({
      title: ASSIGNMENT_MESSAGES.confirmRevokeTitle,
      body: ASSIGNMENT_MESSAGES.confirmRevokeOfPlan(planName),
      danger: true,
      busyLabel: 'Revoking...',
      failed: ASSIGNMENT_MESSAGES.revokeFailed,
      run: () => revoke.mutateAsync({ params: { id: userId, assignmentId: assignment.id } }),
    });
    if (isRevoked) showToast({ message: 'Plan assignment revoked' });
  }

  return (
    <article className="rounded-lg border border-border">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-4 py-3">
        <h3 className="text-base font-semibold wrap-anywhere">{planName || '-'}</h3>
        <TierBadge tier={plan.tier} />
        {ticket !== null && (
          <Mono value={ticket.code} copyLabel="Copy ticket code" className="text-muted" />
        )}
        <span className="ms-auto flex items-center gap-3">
          <AssignmentBadge status={assignment.status} />
          {assignmentCan.revoke(assignment) && (
            <Button variant="danger-quiet" size="sm" onClick={() => void askToRevoke()}>
              Revoke
            </Button>
          )}
        </span>
      </header>
      <DescriptionList minColumn={DATE_TIME_WIDTH} className="p-4">
        <DescriptionItem label="Activated At">
          <Time value={assignment.activatedAt} />
        </DescriptionItem>
        <DescriptionItem label="Expires At">
          <Time value={assignment.expiresAt} fallback="Never" />
        </DescriptionItem>
      </DescriptionList>
      <DescriptionList minColumn={LIMIT_WIDTH} className="border-t border-border p-4">
        {limitEntries(plan.limits).map(([name, value]) => (
          <DescriptionItem key={name} label={limitLabel(name)}>
            {limitText(name, value)}
          </DescriptionItem>
        ))}
      </DescriptionList>
    </article>
  );
}
