import { expect, test } from 'vitest';
import { showTickets } from './ticket-list.ts';
import { sampleTicket } from './sample-ticket.ts';

const NOW = new Date('2026-11-14T12:00:00.000Z');
const PAST = '2026-11-14T11:59:59.999Z';
const FUTURE = '2026-11-14T12:00:00.001Z';

test('a passed deadline counts as expired, whatever the server says', () => {
  const { rows, counts } = showTickets(
    [
      sampleTicket({ status: 'UNUSED', redemptionDeadline: PAST }),
      sampleTicket({ status: 'REVOKED', redemptionDeadline: PAST }),
      sampleTicket({ status: 'ACTIVE', redemptionDeadline: FUTURE }),
      sampleTicket({ status: 'UNUSED', redemptionDeadline: null }),
      sampleTicket({ status: 'ON_HOLD' }),
    ],
    NOW,
  );
  expect(rows.map(({ status }) => status)).toEqual([
    'EXPIRED',
    'EXPIRED',
    'ACTIVE',
    'UNUSED',
    'ON_HOLD',
  ]);
  expect(Object.fromEntries(counts)).toEqual({ EXPIRED: 2, ACTIVE: 1, UNUSED: 1, ON_HOLD: 1 });
});
