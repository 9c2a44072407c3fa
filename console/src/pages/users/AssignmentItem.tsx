import {
  type Assignment,
  ASSIGNMENT_MESSAGES,
  assignmentCan,
} from '@meridian/contract/assignments';
import { englishOr } from '@meridian/contract/fields';
import type { User } from '@meridian/contract/users';
import { useId } from 'react';
import { AssignmentBadge } from '../../components/AssignmentBadge.tsx';
import { limitLabel, limitText } from '../../components/limit-text.ts';
import { type LimitInForce, limitsInForce } from '../../components/limits-in-force.ts';
import { OverrideMark } from '../../components/OverrideMark.tsx';
import { TierBadge } from '../../components/TierBadge.tsx';
import { useRevokeAssignment } from '../../components/use-revoke-assignment.tsx';
import { personOf } from '../../components/user-name.ts';
import { Button } from '../../ui/Button.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { TicketCode } from './TicketCode.tsx';
import { DATE_TIME_WIDTH } from '../../ui/time-width.ts';

/** Two side by side on a phone, four at most anywhere: more could not be read in order. */
const LIMIT_WIDTH = 'max(5.5rem, 20%)';

interface AssignmentItemProps {
  assignment: Assignment;
  user: User;
}

export function AssignmentItem({ assignment, user }: AssignmentItemProps) {
  const revoke = useRevokeAssignment();
  const titleId = useId();
  const { plan, ticket } = assignment;
  const planName = englishOr(plan.displayName, plan.name);

  async function askToRevoke() {
    const isRevoked = await revoke({
      assignment,
      userId: user.id,
      person: personOf(user),
      question: ASSIGNMENT_MESSAGES.confirmRevokeOfPlan(planName),
    });
    if (isRevoked) showToast({ message: 'Plan assignment revoked' });
  }

  return (
    <article aria-labelledby={titleId} className="rounded-lg border border-border">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-border px-4 py-3">
        <h3 id={titleId} className="text-base font-semibold wrap-anywhere">
          <SafeText>{planName || NOTHING}</SafeText>
        </h3>
        <TierBadge tier={plan.tier} />
        {ticket !== null && <TicketCode ticket={ticket} />}
        <span className="ms-auto flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
          <AssignmentBadge status={assignment.status} />
          {assignmentCan.revoke(assignment) && (
            <Button
              variant="danger-quiet"
              size="sm"
              aria-describedby={titleId}
              onClick={() => void askToRevoke()}
            >
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
        {limitsInForce(plan.limits, assignment.limitsOverride).map((limit) => (
          <DescriptionItem key={limit.name} label={limitLabel(limit.name)}>
            <LimitValue limit={limit} />
          </DescriptionItem>
        ))}
      </DescriptionList>
    </article>
  );
}

function LimitValue({ limit: { name, ofPlan, effective, isOverridden } }: { limit: LimitInForce }) {
  const value = <span className="tabular-nums">{limitText(name, effective)}</span>;
  if (!isOverridden) return value;
  return (
    <>
      <span className="flex flex-wrap items-baseline gap-x-2 font-semibold">
        {value} <OverrideMark />
      </span>
      <span className="block text-xs text-muted tabular-nums">Plan: {limitText(name, ofPlan)}</span>
    </>
  );
}
