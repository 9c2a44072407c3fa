import { ACCOUNT_MESSAGES, accountDisconnect, accountGet } from '@meridian/contract/accounts';
import { type User, userGet } from '@meridian/contract/users';
import { scheduleCheckGet } from '@meridian/contract/schedule-check';
import type { EndpointQuery } from '../../api/use-endpoint-query.ts';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { PersonName } from '../../components/PersonName.tsx';
import { personOf } from '../../components/user-name.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardBody } from '../../ui/CardBody.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { DescriptionItem } from '../../ui/DescriptionItem.tsx';
import { DescriptionList } from '../../ui/DescriptionList.tsx';
import { NOTHING } from '../../ui/nothing.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { Time } from '../../ui/Time.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { AccountBadge } from './AccountBadge.tsx';

interface AccountCardProps {
  user: User;
  query: EndpointQuery<typeof accountGet>;
}

/** The connection to the user's account on the network. */
export function AccountCard({ user, query }: AccountCardProps) {
  const disconnect = useEndpointMutation(accountDisconnect, {
    invalidates: [accountGet, scheduleCheckGet, userGet],
  });
  const account = query.data?.account;

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
            <DescriptionItem
              inline
              label={account.state === 'CONNECTED' ? 'Connected since' : 'Since'}
            >
              <Time value={account.since} />
            </DescriptionItem>
            <DescriptionItem inline label="Last refresh">
              <Time value={account.refreshedAt} fallback="Never" />
            </DescriptionItem>
          </DescriptionList>
          {account.state === 'CONNECTED' && (
            <Button wide variant="danger-quiet" onClick={() => void ask()}>
              Disconnect
            </Button>
          )}
        </CardBody>
      )}
    </Card>
  );
}
