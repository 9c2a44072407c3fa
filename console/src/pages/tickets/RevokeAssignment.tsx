import {
  type Assignment,
  ASSIGNMENT_MESSAGES,
  assignmentList,
  assignmentRevoke,
} from '@meridian/contract/assignments';
import { ticketGet } from '@meridian/contract/tickets';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { keepPlace } from '../../components/keep-place.ts';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toast-store.ts';

/** The link to the user in the same row, which tells whose assignment it is. */
export const userLinkId = (assignmentId: string) => `user-of-${assignmentId}`;

/** Takes the plan back from one user, for good. */
export function RevokeAssignment({ assignment: { id, user } }: { assignment: Assignment }) {
  const revoke = useEndpointMutation(assignmentRevoke, {
    invalidates: [ticketGet, assignmentList],
  });
  const name = user.displayName || user.handle;

  async function ask() {
    const isDone = await confirm({
      title: ASSIGNMENT_MESSAGES.confirmRevokeTitle,
      body: ASSIGNMENT_MESSAGES.confirmRevokeForUser(name),
      danger: true,
      busyLabel: 'Revoking...',
      failed: ASSIGNMENT_MESSAGES.revokeFailed,
      run: () => revoke.mutateAsync({ params: { id: user.id, assignmentId: id } }),
    });
    if (!isDone) return;
    showToast({ message: `Plan assignment revoked: ${name}` });
    keepPlace(document.getElementById(userLinkId(id)));
  }

  return (
    <Button
      variant="danger-quiet"
      size="sm"
      aria-describedby={userLinkId(id)}
      onClick={() => void ask()}
    >
      Revoke
    </Button>
  );
}
