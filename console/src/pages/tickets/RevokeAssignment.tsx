import { type Assignment, ASSIGNMENT_MESSAGES } from '@meridian/contract/assignments';
import { keepPlace } from '../../components/keep-place.ts';
import { useRevokeAssignment } from '../../components/use-revoke-assignment.tsx';
import { nameOf, personOf } from '../../components/user-name.ts';
import { Button } from '../../ui/Button.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { holderOf } from './ticket-words.ts';

/** The link to the user in the same row, which tells whose assignment it is. */
export const userLinkId = (assignmentId: string) => `user-of-${assignmentId}`;

/** Takes the plan back from one user, for good. */
export function RevokeAssignment({ assignment }: { assignment: Assignment }) {
  const revoke = useRevokeAssignment();
  const { id } = assignment;
  const holder = holderOf(assignment);
  const name = nameOf(holder);

  async function ask() {
    const isDone = await revoke({
      assignment,
      userId: holder.id,
      person: personOf(holder),
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
