import { ACCOUNT_MESSAGES, accountDisconnect, accountGet } from '@meridian/contract/accounts';
import { statsGet } from '@meridian/contract/overview';
import { scheduleCheckGet } from '@meridian/contract/schedule-check';
import {
  type User,
  USER_MESSAGES,
  USER_STATUSES,
  userGet,
  userList,
  type UserStatus,
  userUpdate,
} from '@meridian/contract/users';
import { Badge, type Tone } from '@meridian/ui/Badge.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { DescriptionItem, DescriptionList } from '@meridian/ui/DescriptionList.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Time } from '@meridian/ui/Time.tsx';
import { useChange, useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { readOutcome } from '@meridian/ui/api/outcome.ts';
import type { EndpointQuery } from '@meridian/ui/api/query.ts';
import { ChoiceButton } from '@meridian/ui/choices.tsx';
import { confirm } from '@meridian/ui/dialog-host.tsx';
import { ChangeError, LoadError } from '@meridian/ui/failures.tsx';
import { ifMatch } from '@meridian/ui/form/conflict.tsx';
import { NOTHING } from '@meridian/ui/format.ts';
import { showToast } from '@meridian/ui/toasts.ts';
import { statusLabel } from '../../components/badges.tsx';
import { Consequence } from '../../components/consequences.tsx';
import { PersonName, personOf } from '../../components/users.tsx';

export function ManagementCard({ user }: { user: User }) {
  const params = { id: user.id };
  const seen = { params, headers: ifMatch(user) };
  const invalidates = [userGet, userList, statsGet, scheduleCheckGet];
  const failed = USER_MESSAGES.updateFailed;
  const update = useEndpointMutation(userUpdate, { invalidates });
  const toggle = useChange(userUpdate, { invalidates, of: params, failed });

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
        <ChangeError change={toggle} failed={failed} />
      </CardBody>
    </Card>
  );
}

interface AccountCardProps {
  user: User;
  query: EndpointQuery<typeof accountGet>;
}

export function AccountCard({ user, query }: AccountCardProps) {
  const disconnect = useEndpointMutation(accountDisconnect, {
    invalidates: [accountGet, scheduleCheckGet, userGet],
  });
  const account = query.data?.account;
  const isConnected = account?.state === 'CONNECTED';

  async function ask() {
    const isDone = await confirm({
      title: 'Disconnect Account',
      body: (
        <>
          The service gives back its access to the account of <PersonName {...personOf(user)} />.
          Their scheduled posts wait until they connect it again.
        </>
      ),
      danger: true,
      confirmLabel: 'Disconnect',
      busyLabel: 'Disconnecting...',
      takesReason: true,
      run: (reason) => disconnect.mutateAsync({ params: { id: user.id }, reason }),
      failed: ACCOUNT_MESSAGES.disconnectFailed,
    });
    if (isDone) showToast({ message: 'Account disconnected' });
  }

  return (
    <Card aria-labelledby="account">
      <CardHeader title="Account" titleId="account" />
      <LoadError className="mx-5 mb-5" query={query} failed={ACCOUNT_MESSAGES.loadFailed} />
      {account !== undefined && (
        <CardBody className="flex flex-col gap-4">
          <DescriptionList minColumn="100%" dense>
            <DescriptionItem inline label="State">
              <AccountBadge state={account.state} />
            </DescriptionItem>
            <DescriptionItem inline label="Host">
              {account.host === null ? NOTHING : <SafeText>{account.host}</SafeText>}
            </DescriptionItem>
            <DescriptionItem inline label={isConnected ? 'Connected since' : 'Since'}>
              <Time value={account.since} />
            </DescriptionItem>
            <DescriptionItem inline label="Last refresh">
              <Time value={account.refreshedAt} fallback="Never" />
            </DescriptionItem>
          </DescriptionList>
          {isConnected && (
            <Button wide variant="danger-quiet" onClick={() => void ask()}>
              Disconnect
            </Button>
          )}
        </CardBody>
      )}
    </Card>
  );
}

export function AccountBadge({ state }: { state: string }) {
  const [label, tone] = ACCOUNT_STATES[state] ?? [state, 'gray' as const];
  return <Badge tone={tone}>{label}</Badge>;
}

const ACCOUNT_STATES: Readonly<Record<string, [label: string, tone: Tone]>> = {
  NONE: ['Never connected', 'gray'],
  CONNECTED: ['Connected', 'green'],
  RECONNECT: ['To be connected again', 'amber'],
  DEACTIVATED: ['Deactivated', 'orange'],
  TAKEN_DOWN: ['Taken down', 'red'],
  GONE: ['Gone', 'red'],
};
