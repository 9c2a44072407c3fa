import { type Assignment, ASSIGNMENT_MESSAGES } from '@meridian/contract/assignments';
import { keepPlace } from '../../components/keep-place.ts';
import { useRevokeAssignment } from '../../components/use-revoke-assignment.tsx';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toast-store.ts';

/** The link to the user in the same row, which tells whose assignment it is. */
export const userLinkId = (assignmentId: string) => `user-of-${assignmentId}`;

/** Takes the plan back from one user, for good. */
export function RevokeAssignment({ assignment }: { assignment: Assignment }) {
  const revoke = useRevokeAssignment();
  const { id, user } = assignment;
  const name = user.displayName || user.handle || user.did || user.id;

  async function ask() {
    const isDone = await revoke({
      assignment,
      userId: user.id,
      person: {
        displayName: user.displayName || (user.handle === '' ? name : null),
        handle: user.handle,
      },
      question: ASSIGNMENT_MESSAGES.confirmRevokeForUser(name),
      warning: 'This action cannot be undone.',
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
