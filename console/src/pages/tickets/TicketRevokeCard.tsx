import { ERRORS } from '@meridian/contract/errors';
import {
  type Ticket,
  TICKET_MESSAGES,
  ticketCan,
  ticketGet,
  ticketList,
  ticketRevoke,
} from '@meridian/contract/tickets';
import { useRef } from 'react';
import { useEndpointMutation } from '../../api/use-endpoint-mutation.ts';
import { confirm } from '../../components/dialogs/dialog-store.ts';
import { readOutcome } from '../../components/dialogs/read-outcome.ts';
import { Consequence } from '../../components/Consequence.tsx';
import { keepPlace } from '../../components/keep-place.ts';
import { statusLabel } from '../../components/status-label.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { CardHeader } from '../../ui/CardHeader.tsx';
import { SafeText } from '../../ui/SafeText.tsx';
import { showToast } from '../../ui/toast-store.ts';
import { planNameOf } from './ticket-words.ts';

interface TicketRevokeCardProps {
  ticket: Ticket;
  status: string;
  now: Date;
}

/** Taking a ticket back before it is redeemed; afterwards, why it can no longer be. */
export function TicketRevokeCard({ ticket, status, now }: TicketRevokeCardProps) {
  const revoke = useEndpointMutation(ticketRevoke, { invalidates: [ticketGet, ticketList] });
  const outcome = useRef<HTMLDivElement>(null);
  // An unknown status is named as it is.
  const word = statusLabel(status);
  const currentStatus = word && ` This one is ${word === status ? word : word.toLowerCase()}.`;
  const isPossible = ticketCan.revoke(ticket, now);

  async function ask() {
    const isDone = await confirm({
      title: 'Revoke Ticket',
      body: (
        <>
          <p>{TICKET_MESSAGES.confirmRevoke(ticket.code)}</p>
          <p className="mt-2">
            The code can no longer be redeemed for the <SafeText>{planNameOf(ticket)}</SafeText>{' '}
            plan. This action cannot be undone.
          </p>
          <Consequence of="ticketRevoke" id={ticket.id} />
        </>
      ),
      danger: true,
      busyLabel: 'Revoking...',
      failed: TICKET_MESSAGES.revokeFailed,
      takesReason: true,
      run: (reason) => revoke.mutateAsync({ params: { id: ticket.id }, reason }),
      readOutcome: () =>
        readOutcome(
          ticketGet,
          { params: { id: ticket.id } },
          (now) => now.ticket.status === 'REVOKED',
        ),
    });
    if (!isDone) return;
    showToast({ message: `Ticket revoked: ${ticket.code}` });
    keepPlace(outcome.current);
  }

  return (
    <Card aria-labelledby="ticket-revoke" className={isPossible ? 'border-danger-border' : ''}>
      <div ref={outcome} tabIndex={-1}>
        <CardHeader
          title="Revoke Ticket"
          titleId="ticket-revoke"
          className="pb-4!"
          description={
            isPossible
              ? 'The code can no longer be redeemed. This action cannot be undone.'
              : `${ERRORS.ticket_not_revocable.message}.${currentStatus}`
          }
          actions={
            isPossible && (
              <Button variant="danger" onClick={() => void ask()}>
                Revoke Ticket
              </Button>
            )
          }
        />
      </div>
    </Card>
  );
}
