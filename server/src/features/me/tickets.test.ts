import { MEMBER_HEADER } from '@meridian/contract/api-tokens';
import { meGet, meTicketRedeem } from '@meridian/contract/me/account';
import { beforeAll, describe, expect, test } from 'vitest';
import { EITHER, setUpApp } from '../../../test/app.ts';
import { insertPost, insertUser } from '../../../test/fixtures.ts';
import { signInMember, waysIn } from '../../../test/members.ts';
import { insertTicket, planBody } from '../../../test/plan-fixtures.ts';
import type { TicketFixture } from '../../../test/plan-fixtures.ts';
import { catalogued, refusal } from '../../../test/refusal.ts';
import { HOST } from '../../audit/audit.store.ts';
import { sql } from '../../db/sql.ts';
import { newTicketCode } from '../tickets/tickets.service.ts';

/** As of the other races. */
const ROUNDS = Number(process.env['RACE_ROUNDS'] ?? 8);

describe.each(EITHER)('redeeming a ticket on %s', (engine) => {
  const api = setUpApp(engine, { env: { TRUST_PROXY: '127.0.0.1' } });
  let adminId: string;
  const plans: Record<string, string> = {};
  beforeAll(async () => {
    ({ adminId } = await api.signIn());
    for (const tier of ['BASIC', 'PREMIUM'] as const) {
      const displayName = { en: tier.toLowerCase() };
      const body = planBody({
        tier,
        name: `internal-${tier}`,
        displayName,
        limits: { monthly_posts_limit: 7 },
      });
      plans[tier] = (await api.context.plans.create(HOST, body)).id;
    }
  });

  let networks = 0;
  /** From a network of its own, so that the limits of one test leave the others alone. */
  const newNetwork = () => `203.0.113.${(networks += 1)}`;
  async function start(network = newNetwork()) {
    const userId = await insertUser(api.db);
    const headers = { ...(await signInMember(api, userId)), 'x-forwarded-for': network };
    const redeem = (code: string) => api.call(meTicketRedeem, { headers, body: { code } });
    return { userId, headers, redeem };
  }
  async function issue(fields: TicketFixture & { tier?: string; override?: object } = {}) {
    const { tier = 'BASIC', override = null, ...ticket } = fields;
    const code = newTicketCode();
    const id = await insertTicket(api.db, plans[tier] ?? '', adminId, { code, ...ticket });
    if (override !== null) {
      await api.db.execute(sql`
        update tickets set limits_override = ${sql.json(override)} where id = ${id}`);
    }
    return code;
  }

  test('grants its plan at once, with its overrides, however the code is typed', async () => {
    const me = await start();
    const code = await issue({ override: { monthly_posts_limit: 99 } });
    const { answer } = await me.redeem(` ${code.toLowerCase().replaceAll('-', ' ')} `);
    expect(answer).toEqual({
      plan: { name: 'basic', tier: 'BASIC', expiresAt: expect.any(String) },
      earlier: null,
    });
    const { plan, limits } = (await api.call(meGet, { headers: me.headers })).answer;
    expect([plan.name, limits['monthly_posts_limit']]).toEqual(['basic', 99]);
    expect(refusal(await me.redeem(code))).toEqual(catalogued('ticket_already_redeemed'));
  });

  test('lets go what the plan before had no room for', async () => {
    const me = await start();
    const post = await insertPost(api.db, me.userId, { status: 'PENDING' });
    await api.db.execute(
      sql`update posts set hold = 'quota', claim_at = 'infinity' where id = ${post}`,
    );
    await me.redeem(await issue());
    const row = await api.db.one(sql`
      select hold, claim_at < 'infinity' as "isPlanned" from posts where id = ${post}`);
    expect(row).toEqual({ hold: null, isPlanned: true });
  });

  test('says what becomes of the plan before: the best holds, none is taken away', async () => {
    const me = await start();
    await me.redeem(await issue());
    const up = (await me.redeem(await issue({ tier: 'PREMIUM' }))).answer;
    expect(up.earlier).toMatch(
      /^Your plan basic rests while premium holds; it ends on \d{4}-\d\d-\d\d$/,
    );
    const down = (await me.redeem(await issue())).answer;
    expect(down.earlier).toMatch(
      /^Your plan premium is higher and still holds; it ends on .+ basic holds after it/,
    );
    expect((await api.call(meGet, { headers: me.headers })).answer.plan.name).toBe('premium');
    const all = await api.db.many(sql`
      select assignment_status(status, expires_at) as status from plan_assignments where user_id = ${me.userId}`);
    expect(all).toEqual(Array.from({ length: 3 }, () => ({ status: 'ACTIVE' })));
    await api.db.execute(sql`
      update plan_assignments set expires_at = null where user_id = ${me.userId}`);
    expect((await me.redeem(await issue())).answer.earlier).toBe(
      'Your plan premium is higher and still holds; it has no end, so basic changes nothing',
    );
  });

  test.each([
    ['REVOKED', { status: 'REVOKED' }, 'ticket_revoked'],
    ['past its deadline', { redemption_deadline: '2026-01-01T00:00:00Z' }, 'ticket_expired'],
    ['used up', { status: 'ACTIVE', redemption_count: 1 }, 'ticket_used_up'],
  ] as const)(
    'that is %s is refused in a sentence, and is no wrong code',
    async (_, fields, code) => {
      const me = await start();
      const ticket = await issue(fields);
      for (let time = 0; time < 7; time += 1) {
        expect(refusal(await me.redeem(ticket))).toEqual(catalogued(code));
      }
    },
  );

  test('is refused while upgrades are prohibited', async () => {
    const me = await start();
    await api.db.execute(sql`update users set upgrade_prohibited = true where id = ${me.userId}`);
    expect(refusal(await me.redeem(await issue()))).toEqual(catalogued('upgrade_prohibited'));
  });

  test('is allowed to a RESTRICTED member', async () => {
    const me = await start();
    await api.db.execute(sql`update users set status = 'RESTRICTED' where id = ${me.userId}`);
    expect((await me.redeem(await issue())).status).toBe(200);
  });

  test('is refused after five wrong codes of a member, right ones too', async () => {
    const me = await start();
    const wrong = await Promise.all(Array.from({ length: 20 }, () => me.redeem(newTicketCode())));
    expect(wrong.filter(({ status }) => status === 404)).toHaveLength(5);
    const late = await me.redeem(await issue());
    expect([late.status, late.error.message]).toEqual([
      429,
      'Too many wrong codes. Try again in 15 minutes',
    ]);
    expect(Number(late.headers['retry-after'])).toBeGreaterThan(800);
    expect((await (await start()).redeem(await issue())).status).toBe(200);
  });

  test('is refused after twenty wrong codes of a network, of all members there', async () => {
    const network = newNetwork();
    const statuses: number[] = [];
    for (let person = 0; person < 5; person += 1) {
      const me = await start(network);
      for (let time = 0; time < 5; time += 1) statuses.push((await me.redeem('wrong')).status);
    }
    expect(statuses.filter((status) => status === 404)).toHaveLength(20);
    expect((await (await start(network)).redeem(await issue())).status).toBe(429);
  });

  test('through a service is refused for whose codes were wrong, not for its other members', async () => {
    const callers = await Promise.all(Array.from({ length: 6 }, () => start()));
    const [first] = callers;
    const [, , { authorization }] = await waysIn(api, first?.userId ?? '', adminId);
    const dids = await api.db.many<{ did: string }>(sql`
      select did from users where id = any(${callers.map(({ userId }) => userId)}::uuid[])`);
    // All calls come from the one server of the service.
    const from = { authorization, 'x-forwarded-for': newNetwork() };
    const redeem = async (did: string, code: string) => {
      const headers = { ...from, [MEMBER_HEADER]: did };
      return (await api.call(meTicketRedeem, { headers, body: { code } })).status;
    };
    const [innocent = '', ...others] = dids.map(({ did }) => did);
    const wrong = await Promise.all(
      others.flatMap((did) => Array.from({ length: 6 }, () => redeem(did, newTicketCode()))),
    );
    expect(wrong.filter((status) => status === 404)).toHaveLength(5 * others.length);
    expect(await redeem(innocent, await issue())).toBe(200);
  });

  test('is never redeemed more often than it may be, however many try at once', async () => {
    // From the page, by tokens of their own, and by those of a service.
    const callers = await Promise.all(
      Array.from({ length: 6 }, async () => {
        const { userId } = await start();
        const ways = await waysIn(api, userId, adminId);
        return ways.map((way) => Object.assign({ 'x-forwarded-for': newNetwork() }, way));
      }),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const code = await issue({ max_redemptions: 3 });
      const calls = await Promise.all(
        callers.flat().map((headers) => api.call(meTicketRedeem, { headers, body: { code } })),
      );
      expect(calls.filter(({ status }) => status === 200)).toHaveLength(3);
      const { n } = await api.db.one<{ n: number }>(sql`
        select count(*) as n from plan_assignments a join tickets t on t.id = a.ticket_id where t.code = ${code}`);
      expect(n).toBe(3);
    }
  });

  test('needs a session and a code', async () => {
    expect(refusal(await api.call(meTicketRedeem, { body: { code: 'x' } }))).toEqual(
      catalogued('unauthenticated'),
    );
    expect(refusal(await (await start()).redeem(''))).toEqual(
      catalogued('invalid_input', 'Code is required'),
    );
  });
});
