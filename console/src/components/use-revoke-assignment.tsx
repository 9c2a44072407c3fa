import {
  type Assignment,
  ASSIGNMENT_MESSAGES,
  assignmentList,
  assignmentRevoke,
} from '@meridian/contract/assignments';
import { englishOr } from '@meridian/contract/fields';
import { scheduleCheckGet } from '@meridian/contract/schedule-check';
import { ticketGet } from '@meridian/contract/tickets';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { messageOfMissing } from '@meridian/ui/api/errors.ts';
import { useEndpointMutation } from '@meridian/ui/api/mutation.ts';
import { confirm } from '@meridian/ui/dialog-host.tsx';
import { PersonName, type PersonNameProps } from './users.tsx';
import { readOutcome } from '@meridian/ui/api/outcome.ts';

interface RevokeRequest {
  assignment: Assignment;
  userId: string;
  person: PersonNameProps;
  question: string;
  /** Says that it is for good, unless the question does. */
  warning?: string | undefined;
}

/** Asks first, then takes the plan back from one user, for good. True when it was done. */
export function useRevokeAssignment(): (request: RevokeRequest) => Promise<boolean> {
  const revoke = useEndpointMutation(assignmentRevoke, {
    invalidates: [assignmentList, ticketGet, scheduleCheckGet],
  });
  return ({ assignment: { id, plan }, userId, person, question, warning }) =>
    confirm({
      title: ASSIGNMENT_MESSAGES.confirmRevokeTitle,
      body: (
        <>
          <p>
            <SafeText as="span">{question}</SafeText>
          </p>
          <p className="mt-2">
            <PersonName {...person} /> loses the{' '}
            <SafeText>{englishOr(plan.displayName, plan.name)}</SafeText> plan immediately.
            {warning !== undefined && ` ${warning}`}
          </p>
        </>
      ),
      danger: true,
      busyLabel: 'Revoking...',
      failed: (error) =>
        messageOfMissing(error, ASSIGNMENT_MESSAGES.notFound, ASSIGNMENT_MESSAGES.revokeFailed),
      takesReason: true,
      run: (reason) => revoke.mutateAsync({ params: { id: userId, assignmentId: id }, reason }),
      readOutcome: async () => {
        const outcome = await readOutcome(
          assignmentList,
          { params: { id: userId } },
          ({ assignments }) =>
            // An expired assignment was not revoked.
            assignments.some((now) => now.id === id && !['ACTIVE', 'EXPIRED'].includes(now.status)),
        );
        // The page behind does not tell that the user is gone, so the dialog stays.
        return outcome === 'gone' ? 'open' : outcome;
      },
    });
}
