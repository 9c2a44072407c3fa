import { useId } from 'react';
import {
  type Assignment,
  ASSIGNMENT_MESSAGES,
  assignmentCan,
  type assignmentList,
} from '@meridian/contract/assignments';
import { englishOr } from '@meridian/contract/fields';
import { type User, USER_MESSAGES, userGet, userRestrict } from '@meridian/contract/users';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { CopyButton } from '@meridian/ui/Mono.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { DATE_TIME_WIDTH, Time } from '@meridian/ui/Time.tsx';
import { useLoggedError } from '@meridian/ui/api/browser.ts';
import { useChange } from '@meridian/ui/api/mutation.ts';
import type { EndpointQuery } from '@meridian/ui/api/query.ts';
import { ChangeError, LoadNote } from '@meridian/ui/failures.tsx';
import { ifMatch } from '@meridian/ui/form/conflict.tsx';
import { NOTHING } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { AssignmentBadge, TierBadge } from '../../components/badges.tsx';
import {
  type LimitInForce,
  limitLabel,
  limitsInForce,
  limitText,
  OverrideMark,
} from '../../components/limits.tsx';
import { useRevokeAssignment } from '../../components/use-revoke-assignment.tsx';
import { personOf } from '../../components/users.tsx';
import { paths } from '../../paths.ts';

interface AssignmentsCardProps {
  user: User;
  query: EndpointQuery<typeof assignmentList>;
}

export function AssignmentsCard({ user, query }: AssignmentsCardProps) {
  const params = { id: user.id };
  const failed = USER_MESSAGES.restrictionsFailed;
  const restrict = useChange(userRestrict, { invalidates: [userGet], of: params, failed });
  const { data, error, isPending } = query;
  useLoggedError('Failed to load the plan assignments', error);
  const upgradeProhibited = !user.upgrade_prohibited;
  async function toggleUpgrades() {
    await restrict.mutateAsync({ params, headers: ifMatch(user), body: { upgradeProhibited } });
    showToast({ message: upgradeProhibited ? 'Upgrades prohibited' : 'Upgrades enabled' });
  }

  return (
    <Card aria-labelledby="assignments">
      <CardHeader
        title="Plan Assignments"
        titleId="assignments"
        actions={
          <Button
            busy={restrict.isPending}
            busyLabel={upgradeProhibited ? 'Prohibiting...' : 'Enabling...'}
            onClick={() => restrict.run(toggleUpgrades)}
          >
            {upgradeProhibited ? 'Prohibit Upgrades' : 'Enable Upgrades'}
          </Button>
        }
      />
      <CardBody className="flex flex-col gap-4">
        <ChangeError change={restrict} failed={failed} />
        {user.upgrade_prohibited && <Alert live="none">{USER_MESSAGES.upgradesProhibited}</Alert>}
        <LoadNote query={query}>The plan assignments could not be loaded.</LoadNote>
        {isPending && <AssignmentSkeleton />}
        {data?.assignments.length === 0 && (
          <p className="text-base text-muted">No plans assigned</p>
        )}
        {data?.assignments.map((assignment) => (
          <AssignmentItem key={assignment.id} assignment={assignment} user={user} />
        ))}
      </CardBody>
    </Card>
  );
}

function AssignmentItem({ assignment, user }: { assignment: Assignment; user: User }) {
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

function TicketCode({ ticket: { id, code } }: { ticket: NonNullable<Assignment['ticket']> }) {
  return (
    <span className="inline-flex min-w-0 items-center text-muted">
      {id === '' ? (
        <span className="text-mono">
          <SafeText>{code}</SafeText>
        </span>
      ) : (
        <AppLink
          to={paths.ticket(id)}
          className="-my-1 rounded-sm py-1 text-mono text-accent-text hover:underline"
        >
          <SafeText>{code}</SafeText>
        </AppLink>
      )}
      <CopyButton text={code} label="Copy ticket code" className="ms-0.5" />
    </span>
  );
}

/** A phone shows two side by side; more than four anywhere could not be read in order. */
const LIMIT_WIDTH = 'max(5.5rem, 20%)';

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

export function AssignmentSkeleton() {
  return (
    <div aria-hidden="true" className="rounded-lg border border-border">
      <div className="flex items-center gap-3 border-b border-border px-4 py-3">
        <Skeleton width="8rem" />
        <Skeleton round width="5rem" height="1.375rem" className="ms-auto" />
      </div>
      <DescriptionList minColumn={DATE_TIME_WIDTH} className="p-4">
        <DescriptionItem label="Activated At">
          <Skeleton width="9rem" />
        </DescriptionItem>
        <DescriptionItem label="Expires At">
          <Skeleton width="9rem" />
        </DescriptionItem>
      </DescriptionList>
    </div>
  );
}
