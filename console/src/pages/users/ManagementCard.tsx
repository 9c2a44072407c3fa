import { statsGet } from '@meridian/contract/overview';
import {
  type User,
  USER_MESSAGES,
  USER_STATUSES,
  userGet,
  userList,
  type UserStatus,
  userUpdate,
} from '@meridian/contract/users';
import { scheduleCheckGet } from '@meridian/contract/schedule-check';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { ChangeError } from '../../components/ChangeError.tsx';
import { Consequence } from '../../components/Consequence.tsx';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { readOutcome } from '../../components/dialogs/read-outcome.ts';
import { PersonName } from '../../components/PersonName.tsx';
import { ifMatch } from '../../components/form/use-conflict.ts';
import { statusLabel } from '../../components/status-label.ts';
import { useChange } from '../../components/use-change.ts';
import { personOf } from '../../components/user-name.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { ChoiceButton } from '../../ui/ChoiceButton.tsx';
import { showToast } from '../../ui/toast-store.ts';

const AFFECTED = [userGet, userList, statsGet, scheduleCheckGet];

export function ManagementCard({ user }: { user: User }) {
  const update = useEndpointMutation(userUpdate, { invalidates: AFFECTED });
  const params = { id: user.id };
  const seen = { params, headers: ifMatch(user) };
  const toggle = useChange(userUpdate, {
    invalidates: AFFECTED,
    of: params,
    failed: USER_MESSAGES.updateFailed,
  });

  async function changeStatus(status: UserStatus) {
    const isShutOut = status === 'BLOCKED' || status === 'SUSPENDED';
    const isChanged = await confirm({
      title: USER_MESSAGES.confirmStatusTitle,
      body: (
        <>
          <p>{USER_MESSAGES.confirmStatus(status)}</p>
          <p className="mt-2">
            <PersonName {...personOf(user)} /> changes from {statusLabel(user.status)} to{' '}
            {statusLabel(status)}. You can change the status again at any time.
          </p>
          {isShutOut && <Consequence of="userBlock" id={user.id} />}
        </>
      ),
      danger: isShutOut,
      busyLabel: 'Changing...',
      failed: USER_MESSAGES.statusFailed,
      takesReason: true,
      run: (reason) => update.mutateAsync({ ...seen, body: { status }, reason }),
      readOutcome: () => readOutcome(userGet, { params }, (now) => now.user.status === status),
    });
    if (isChanged) showToast({ message: `Status changed to ${status}` });
  }

  const nextActive = !user.is_active;
  async function toggleActive() {
    await toggle.mutateAsync({ ...seen, body: { is_active: nextActive } });
    showToast({ message: nextActive ? 'User activated' : 'User deactivated' });
  }

  return (
    <Card aria-labelledby="management">
      <CardHeader
        title="User Management"
        titleId="management"
        description="You'll be asked to confirm a change of status."
      />
      <CardBody className="flex flex-col gap-4">
        <div className="grid gap-2 @3xs:grid-cols-2">
          {USER_STATUSES.map((status) => (
            <ChoiceButton
              key={status}
              chosen={user.status === status}
              variant={status === 'BLOCKED' ? 'danger-quiet' : 'secondary'}
              onClick={() => void changeStatus(status)}
            >
              {statusLabel(status)}
            </ChoiceButton>
          ))}
        </div>
        <hr className="border-border" />
        <Button
          wide
          busy={toggle.isPending}
          busyLabel={nextActive ? 'Activating...' : 'Deactivating...'}
          onClick={() => toggle.run(toggleActive)}
        >
          {nextActive ? 'Activate User' : 'Deactivate User'}
        </Button>
        <ChangeError change={toggle} failed={USER_MESSAGES.updateFailed} />
      </CardBody>
    </Card>
  );
}
