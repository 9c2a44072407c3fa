import { ticketIssue } from '@meridian/contract/tickets';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HOST } from '../../server/src/audit/audit.store.ts';
import { uuidV7 } from '../../server/src/db/columns.ts';
import { sql } from '../../server/src/db/sql.ts';
import { planBody } from '../../server/test/plan-fixtures.ts';
import { PLAYED, flawsOf, shareBroken, startArena } from './arena.ts';
import type { Arena, Round } from './arena.ts';

describe(`a ticket asked for again because the answer was lost, ${PLAYED}`, () => {
  let arena: Arena;
  let origin: string;
  let planId: string;
  beforeAll(async () => {
    arena = await startArena();
    origin = await arena.api.app.listen({ port: 0, host: '127.0.0.1' });
    planId = (await arena.api.context.plans.create(HOST, planBody())).id;
  });
  afterAll(() => arena.api.close());

  type Ask = { memo: string; headers: Record<string, string> };
  const bodyOf = ({ memo }: Ask) => ({ planId, validDays: 30, memo });
  const tickets = async ({ memo }: Ask) => {
    const row = await arena.db.one<{ n: number }>(sql`
      select count(*) as n from tickets where memo = ${memo}`);
    return row.n;
  };

  /** Sends, and hangs up when the ticket is there, without having listened. */
  const lose = async (ask: Ask) => {
    const { token } = arena;
    const request = httpRequest(origin + ticketIssue.path, {
      method: ticketIssue.method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...ask.headers,
      },
    });
    request.on('error', () => {});
    request.end(JSON.stringify(bodyOf(ask)));
    await expect.poll(() => tickets(ask)).toBe(1);
    request.destroy();
  };

  const roundWith =
    (headersOf: () => Record<string, string>): Round =>
    async () => {
      const ask = { memo: uuidV7(), headers: headersOf() };
      await lose(ask);
      const { token } = arena;
      const again = await arena.api.call(ticketIssue, { token, ...ask, body: bodyOf(ask) });
      if (again.answer.ticket.memo !== ask.memo) return 'another ticket';
      const made = await tickets(ask);
      return made === 1 ? null : `${made} tickets`;
    };

  test('is there once', async () => {
    expect(await flawsOf(roundWith(() => ({ 'idempotency-key': uuidV7() })))).toEqual([]);
  });

  test('would be there twice without a key', async () => {
    expect(await shareBroken(roundWith(() => ({})))).toBe(1);
  });
});
