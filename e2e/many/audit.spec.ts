import { userUpdate } from '@meridian/contract';
import type { Page } from '@playwright/test';
import { sql } from '../../server/src/db/sql.ts';
import type { App } from '../support/app.ts';
import { pushAddress } from '../support/navigate.ts';
import { withoutEvents } from '../support/open-requests.ts';
import { timed } from '../support/screen-times.ts';
import { AMONG_MANY } from '../support/story-posts.ts';
import { expect, test } from '../support/test.ts';

const CHANGES = 150;
const tableOf = (page: Page) => page.getByRole('table', { name: 'Audit log' });

/** The numbers of the entries on screen, in their order. */
async function shownEntries(page: Page): Promise<string[]> {
  const buttons = tableOf(page).getByRole('button', { name: /^Details/ });
  const names = await buttons.evaluateAll((all) =>
    all.map((one) => one.getAttribute('aria-label')),
  );
  return names.map((name) => /entry (\d+)$/.exec(name ?? '')?.[1] ?? '');
}

async function entriesBySql(app: App, condition = sql`true`): Promise<string[]> {
  const found = await app.rows.select<{ id: string }>(sql`
    select id::text as id from audit_log where ${condition} order by audit_log.id desc limit 40`);
  return found.map(({ id }) => id);
}

test(
  'Audit log: it is read by page, by administrator, by object and by period',
  AMONG_MANY,
  async ({ page, app }) => {
    const users = await app.rows.select<{ id: string }>(sql`
    select id from users where status = 'ACTIVE' order by id limit ${sql.whole(CHANGES)}`);
    for (const params of users) {
      await app.meridian.call(userUpdate, { params, body: { status: 'RESTRICTED' } });
    }
    const [first, second] = [await entriesBySql(app), users[7]?.id ?? ''];
    await timed('Audit log: the newest entries', async () => {
      await app.open('/audit');
      await expect.poll(() => shownEntries(page)).toEqual(first.slice(0, 20));
    });
    await timed('Audit log: the second page', async () => {
      await page.getByRole('link', { name: 'Next' }).click();
      await expect.poll(() => shownEntries(page)).toEqual(first.slice(20));
    });
    const [from, to] = [-60, 60].map((minutes) =>
      new Date(Date.now() + minutes * 60_000).toISOString(),
    );
    const filters: [
      screen: string,
      query: Record<string, string>,
      condition: ReturnType<typeof sql>,
    ][] = [
      ['an administrator', { actor: 'admin' }, sql`actor_name = 'admin'`],
      ['an action', { action: 'userUpdate' }, sql`action = 'userUpdate'`],
      [
        'an object',
        { entity: 'user', entityId: second },
        sql`entity = 'user' and entity_id = ${second}`,
      ],
      ['a period', { from: from ?? '', to: to ?? '' }, sql`at >= ${from} and at < ${to}`],
    ];
    for (const [screen, query, condition] of filters) {
      const expected = (await entriesBySql(app, condition)).slice(0, 20);
      expect(expected.length, screen).toBeGreaterThan(0);
      await timed(`Audit log: by ${screen}`, async () => {
        await pushAddress(page, `/audit?${new URLSearchParams(query)}`);
        await expect.poll(() => shownEntries(page)).toEqual(expected);
      });
    }
  },
);

test(
  'Audit log: a change that someone has changed since is not reversed, and the newer one is named',
  AMONG_MANY,
  async ({ page, app }) => {
    // The page must not learn of the newer change by itself.
    await withoutEvents(page);
    const user = await app.rows.user();
    const change = (status: 'BLOCKED' | 'SUSPENDED') =>
      app.meridian.call(userUpdate, { params: { id: user.id }, body: { status } });
    await change('BLOCKED');
    await app.open(`/audit?entity=user&entityId=${user.id}`);
    const [own = ''] = await entriesBySql(app, sql`entity_id = ${user.id}`);
    await expect.poll(() => shownEntries(page)).toEqual([own]);
    await tableOf(page)
      .getByRole('button', { name: /^Reverse/ })
      .click();
    await change('SUSPENDED');
    const [newer = ''] = await entriesBySql(app, sql`entity_id = ${user.id}`);
    const dialog = page.getByRole('alertdialog', { name: 'Reverse Change' });
    await timed('Audit log: the refusal of a reversal', async () => {
      await dialog.getByRole('button', { name: 'Reverse' }).click();
      await expect(dialog).toContainText(
        `Entry ${newer} has changed the same fields since. Reverse that one first`,
      );
    });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await expect(tableOf(page)).toContainText(`Superseded by entry ${newer}`);
    const [state] = await app.rows.select(sql`select status from users where id = ${user.id}`);
    expect(state).toEqual({ status: 'SUSPENDED' });
  },
);
