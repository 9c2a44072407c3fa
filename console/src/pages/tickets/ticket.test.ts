import { expect, test } from 'vitest';
import type { ListedTicket } from '@meridian/contract/tickets';
import { showTickets } from './ticket.tsx';

const NOW = new Date('2026-11-14T12:00:00.000Z');
const PAST = '2026-11-14T11:59:59.999Z';
const FUTURE = '2026-11-14T12:00:00.001Z';

const ticket = (fields: Partial<ListedTicket>) => fields as ListedTicket; // the rest is not looked at

test('a passed deadline counts as expired, whatever the server says', () => {
  const { rows, counts } = showTickets(
    [
      ticket({ status: 'UNUSED', redemptionDeadline: PAST }),
      ticket({ status: 'REVOKED', redemptionDeadline: PAST }),
      ticket({ status: 'ACTIVE', redemptionDeadline: FUTURE }),
      ticket({ status: 'UNUSED', redemptionDeadline: null }),
      ticket({ status: 'ON_HOLD' }),
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
