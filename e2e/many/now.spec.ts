import type { Page } from '@playwright/test';
import { OVERVIEW_COUNT_MAX } from '@meridian/contract/overview';
import { sql } from '../../server/src/db/sql.ts';
import type { App } from '../support/app.ts';
import { pushAddress } from '../support/navigate.ts';
import { cardOf, figureOf, nowOf } from '../support/now-section.ts';
import { PostsBySql } from '../support/posts-by-sql.ts';
import { openListBySql } from '../support/posts-list.ts';
import { timed } from '../support/screen-times.ts';
import { AMONG_MANY } from '../support/story-posts.ts';
import { expect, test } from '../support/test.ts';

/** Long enough for more than 1,000 published posts. */
const TEN_DAYS = 10 * 24 * 60;
const minutesFromNow = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

/** So many pending posts that are far ahead, each of another user who may publish. */
const someAhead = (count: number) => sql`
  select id from (
    select distinct on (p.user_id) p.id from posts p join users u on u.id = p.user_id
    where p.status = 'PENDING' and p.hold is null and p.scheduled_at > now() + interval '2 days'
      and u.status = 'ACTIVE' and u.is_active
    order by p.user_id, p.id) as ahead
  order by id limit ${sql.whole(count)}`;

/** Half an hour of suspension: what came due waits, and what a worker had taken is stuck. */
async function haveTrouble({ rows }: App): Promise<void> {
  await rows.engine.suspend(minutesFromNow(-30));
  await rows.execute(sql`
    update posts set scheduled_at = now() - interval '20 minutes' where id in (${someAhead(120)})`);
  await rows.execute(sql`
    update posts set status = 'PROCESSING' where id in (${someAhead(7)})`);
  await rows.execute(sql`
    update posts set claim_at = now() - interval '5 minutes' where status = 'PROCESSING'`);
  await rows.execute(sql`
    update posts set hold = 'user_off', claim_at = 'infinity' where id in (${someAhead(12)})`);
  await rows.execute(sql`
    update posts set hold = 'reconnect', claim_at = 'infinity' where id in (${someAhead(3)})`);
}

const numberIn = (words: string) => Number(words.replaceAll(/[,+]/g, ''));

/** What a card says below its title. */
async function numberOf(page: Page, name: string): Promise<string> {
  const lines = await figureOf(page, name).innerText();
  return lines.split('\n')[1] ?? '';
}

/** Every number of Now with the list that it leads to, as one response has them. */
function numbersWithLists(page: Page): Promise<{ words: string; address: string }[]> {
  return nowOf(page)
    .locator('a[href^="/posts?"]')
    .evaluateAll((links) =>
      links.flatMap((link) => {
        const name = link.getAttribute('aria-label') ?? link.textContent;
        const words = /(\d[\d,]*\+?)(?: posts?)?$/.exec(name)?.[1];
        return words === undefined ? [] : [{ words, address: link.getAttribute('href') ?? '' }];
      }),
    );
}

test(
  'Now: the numbers are those of the database, and each opens exactly its list',
  AMONG_MANY,
  async ({ page, app }) => {
    await haveTrouble(app);
    await app.open('/');
    await expect(figureOf(page, 'Overdue')).toContainText('Oldest due');
    await app.rows.engine.leaveFor(TEN_DAYS);
    await timed('Now: the dashboard', async () => {
      await page.reload();
      await expect(figureOf(page, 'Overdue')).toContainText('Oldest due');
      await expect(cardOf(page, 'Since your last visit')).toContainText('Published');
    });

    for (const [name, address] of [
      ['Overdue', '/posts?overdue=true'],
      ['Stuck', '/posts?stuck=true'],
      ['Held', '/posts?hold=any'],
    ] as const) {
      // A further post may come due between the number and its list.
      await expect(async () => {
        await pushAddress(page, '/');
        await expect(figureOf(page, name)).toContainText(/\d/);
        const shown = await numberOf(page, name);
        const open = () => figureOf(page, name).getByRole('link', { name, exact: true }).click();
        const listed = await openListBySql(page, app, { screen: `Now: ${name}`, address, open });
        expect(listed).toBe(shown);
        expect(numberIn(shown)).toBeGreaterThan(0);
      }).toPass();
    }

    await pushAddress(page, '/');
    await expect(cardOf(page, 'Due in the next 24 hours').getByRole('group')).toBeVisible();
    await expect(cardOf(page, 'Since your last visit')).toContainText('1,000+');
    const numbers = await numbersWithLists(page);
    const named = (part: string) => numbers.filter(({ address }) => address.includes(part));
    expect(named('owner=').length).toBeGreaterThan(1);
    expect(named('hold=').length).toBeGreaterThan(1);
    // The next hour, the next day, some of their bars, and what was published since the last visit.
    expect(named('from=').length).toBeGreaterThan(20);
    const bars = named('order=asc');
    const looked = [
      ...named('owner='),
      ...named('hold='),
      ...named('failedFrom='),
      ...named('COMPLETED'),
    ];
    for (const { words, address } of [...looked, ...bars.slice(0, 3), ...bars.slice(-2)]) {
      const { pathname, searchParams } = new URL(address, app.url);
      const screen = `Now: ${pathname.slice(1)} by ${[...searchParams.keys()].join(', ')}`;
      const listed = await openListBySql(page, app, { screen, address });
      // Past a thousand the number stops, where some lists count further.
      const shown = numberIn(listed) > OVERVIEW_COUNT_MAX ? '1,000+' : listed;
      expect(shown, address).toBe(words);
    }
    // The next story begins with a service that is not suspended: nothing is to go out then.
    await app.rows.execute(sql`
      update posts set scheduled_at = now() + interval '20 days' where status = 'PENDING' and claim_at <= now()`);
  },
);

test(
  'Now: after the service is resumed the engine publishes what waited, and nothing is overdue or stuck',
  AMONG_MANY,
  async ({ page, app }) => {
    await haveTrouble(app);
    const overdue = new PostsBySql(app.rows, '/posts?overdue=true');
    const stuck = new PostsBySql(app.rows, '/posts?stuck=true');
    const waiting = await overdue.ids(10_000);
    expect(waiting.length).toBeGreaterThanOrEqual(100);
    await app.open('/settings');
    await page.getByRole('switch', { name: 'Service suspension' }).click();
    const dialog = page.getByRole('alertdialog', { name: 'Resume Service' });
    await expect(dialog).toContainText(/\d+ posts/);
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog).toHaveCount(0);
    await page.getByRole('link', { name: 'Dashboard' }).click();
    await timed('Now: until nothing is overdue or stuck', async () => {
      await expect(figureOf(page, 'Overdue')).toContainText('Nothing is overdue', {
        timeout: 300_000,
      });
      await expect(figureOf(page, 'Stuck')).toContainText('No post is stuck', { timeout: 300_000 });
    });
    await expect(figureOf(page, 'Engine')).toContainText('Running');
    expect(await stuck.count()).toBe(0);

    const settled = sql`from posts where id = any(${waiting}::uuid[])
      and (status in ('COMPLETED', 'FAILED') or hold is not null)`;
    await expect.poll(() => app.rows.count(settled), { timeout: 300_000 }).toBe(waiting.length);
    const published = sql`${settled} and status = 'COMPLETED'`;
    expect(await app.rows.count(published)).toBeGreaterThan(waiting.length / 2);
    expect(await app.rows.count(sql`${settled} and cause = 'too_late'`)).toBe(0);
  },
);
