import type { assignmentList } from '@meridian/contract/assignments';
import { type User, USER_MESSAGES, userGet, userRestrict } from '@meridian/contract/users';
import type { EndpointQuery } from '../../api/use-endpoint-query.ts';
import { ChangeError } from '../../components/ChangeError.tsx';
import { ifMatch } from '../../components/form/use-conflict.ts';
import { LoadNote } from '../../components/LoadNote.tsx';
import { useChange } from '../../components/use-change.ts';
import { useLoggedError } from '../../components/use-logged-error.ts';
import { Alert } from '../../ui/Alert.tsx';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { AssignmentItem } from './AssignmentItem.tsx';
import { AssignmentSkeleton } from './AssignmentSkeleton.tsx';

interface AssignmentsCardProps {
  user: User;
  query: EndpointQuery<typeof assignmentList>;
}

export function AssignmentsCard({ user, query }: AssignmentsCardProps) {
  const params = { id: user.id };
  const restrict = useChange(userRestrict, {
    invalidates: [userGet],
    of: params,
    failed: USER_MESSAGES.restrictionsFailed,
  });
  useLoggedError('Failed to load the plan assignments', query.error);
  const { data } = query;
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
        <ChangeError change={restrict} failed={USER_MESSAGES.restrictionsFailed} />
        {user.upgrade_prohibited && <Alert live="none">{USER_MESSAGES.upgradesProhibited}</Alert>}
        <LoadNote query={query}>The plan assignments could not be loaded.</LoadNote>
        {query.isPending && <AssignmentSkeleton />}
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
