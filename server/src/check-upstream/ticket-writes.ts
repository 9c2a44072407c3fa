import { isRecord } from '@meridian/contract/response-shape';
import { ticketGet, ticketIssue, ticketList, ticketRevoke } from '@meridian/contract/tickets';
import { badBody, idOf } from './probe.ts';
import type { Probe } from './probe.ts';
import { createStored, expectListed } from './stored.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Issues one ticket for a plan of its own, and revokes it. */
export async function checkTickets(probe: Probe, planId: string): Promise<void> {
  const made = {
    planId,
    // Not the defaults of the form, which a server could fill in by itself.
    validDays: 45,
    maxRedemptions: 3,
    redemptionDeadline: new Date(Date.now() + DAY_MS).toISOString(),
    memo: 'Made by check-upstream',
    limitsOverride: { max_post_length: 100 },
  };
  const refuse = (body: object, why: string) =>
    probe.isRefused(ticketIssue, { body }, badBody(why));
  await refuse({ ...made, validDays: 0 }, 'validDays of 0');
  await refuse({ ...made, maxRedemptions: 10_001 }, 'maxRedemptions of 10001');
  await refuse({ ...made, limitsOverride: { max_post_length: 301 } }, 'an override out of range');

  const issued = (await probe.succeeds(ticketIssue, { body: made }))?.['ticket'];
  const id = isRecord(issued) ? idOf(issued) : null;
  if (id === null) {
    probe.report.add('notTried', ticketRevoke, 'a success: no ticket could be issued');
    return;
  }
  const params = { id };
  const expectStored = createStored(probe, { get: ticketGet, name: 'ticket', id });
  await expectStored(ticketIssue, { ...made, status: 'UNUSED', redemptionCount: 0 });
  await expectListed(
    probe,
    { list: ticketList, name: 'tickets', id },
    'a ticket that was just issued is not in the list',
  );
  await probe.succeeds(ticketRevoke, { params });
  await expectStored(ticketRevoke, { status: 'REVOKED' });
  const again = { statuses: [400, 409, 422], of: 'to a ticket that is revoked already' };
  await probe.isRefused(ticketRevoke, { params }, again);
}
