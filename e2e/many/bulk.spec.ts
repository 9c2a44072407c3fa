import { text } from 'node:stream/consumers';
import { sql } from '../../server/src/db/sql.ts';
import { pushAddress } from '../support/navigate.ts';
import { PostsBySql } from '../support/posts-by-sql.ts';
import { openListBySql } from '../support/posts-list.ts';
import { timed } from '../support/screen-times.ts';
import { AMONG_MANY } from '../support/story-posts.ts';
import { expect, test } from '../support/test.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

test(
  'Act on many: all pending posts of a day are cancelled, and nothing else',
  AMONG_MANY,
  async ({ page, app }) => {
    // Not of later days: other stories need pending posts too.
    const day = new URLSearchParams({ from: inDays(1), to: inDays(2) });
    const address = `/posts?status=PENDING&${day}`;
    const posts = new PostsBySql(app.rows, address);
    const cancelled = new PostsBySql(app.rows, '/posts?status=CANCELLED');
    const [count, before, ids] = [
      await posts.count(),
      await cancelled.count(),
      await posts.ids(100_000),
    ];
    const number = count.toLocaleString('en-GB');
    // The list may stop counting earlier; the preview has the whole number.
    const listed = (await posts.words()).replace(/ posts$/, '');
    expect(count).toBeGreaterThan(20);
    await app.open('/');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await openListBySql(page, app, { screen: 'Act on many: the list', address });
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    const bar = page.getByRole('region', { name: 'Selection' });
    await bar.getByRole('button', { name: `Select all ${listed} that match` }).click();
    await bar.getByRole('button', { name: 'Actions' }).click();
    const dialog = page.getByRole('alertdialog', { name: `Cancel ${number} posts` });
    await timed('Act on many: the preview', async () => {
      await page.getByRole('menuitem', { name: 'Cancel', exact: true }).click();
      await expect(dialog).toContainText(`${number} posts will be cancelled and not published.`);
    });
    const examples = dialog.getByRole('list', { name: 'Examples' }).getByRole('listitem');
    await expect(examples).toHaveCount(6);
    await expect(examples.last()).toHaveText(`and ${(count - 5).toLocaleString('en-GB')} more`);
    const typed = dialog.getByRole('textbox', { name: `Type ${count} to confirm` });
    await typed.fill(String(count - 1));
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(typed).toHaveAttribute('aria-invalid', 'true');
    await typed.fill(String(count));
    await dialog
      .getByRole('textbox', { name: 'Reason (optional)' })
      .fill('A calendar was imported twice');
    await dialog.getByRole('button', { name: 'Confirm' }).click();
    await expect(dialog).toHaveCount(0);

    // Its progress survives a reload, and the lists go on meanwhile.
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page
      .getByRole('link', { name: `Cancel ${number} posts` })
      .first()
      .click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Cancel ${number} posts`);
    await page.reload();
    await expect(page.getByRole('progressbar', { name: 'Progress' })).toBeVisible();
    const job = page.url();
    await openListBySql(page, app, {
      screen: 'Act on many: another list meanwhile',
      address: '/posts?cause=unknown',
    });
    await timed('Act on many: until every row is done', async () => {
      await page.goto(job);
      const words = page.getByRole('main').getByText(`${number} of ${number}`);
      await expect(words).toBeVisible({ timeout: 600_000 });
    });
    await expect(page.getByText('A calendar was imported twice')).toBeVisible();

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Result as CSV' }).click();
    const [, ...lines] = (await text(await (await download).createReadStream()))
      .trimEnd()
      .split('\r\n');
    expect(lines).toHaveLength(count);
    expect(lines.filter((line) => line.includes('"done"'))).toHaveLength(count);
    expect(await posts.count()).toBe(0);
    expect(await cancelled.count()).toBe(before + count);
    const same = await app.rows.count(sql`
    from posts where id = any(${ids}::uuid[]) and status = 'CANCELLED'`);
    expect(same).toBe(count);

    // One batch of the log, not one entry a row.
    await timed('Act on many: the batch in the log', async () => {
      await pushAddress(page, `/audit?batch=${new URL(job).pathname.split('/').at(-1)}`);
      await expect(page.getByRole('table', { name: 'Audit log' }).getByRole('row')).toHaveCount(3);
    });
    await expect(page.getByRole('table', { name: 'Audit log' })).toContainText(
      'A calendar was imported twice',
    );
  },
);

test(
  'Act on many: more than 200,000 are refused with the reason, and a number that is not whole says so',
  AMONG_MANY,
  async ({ page, app }) => {
    const before = await new PostsBySql(app.rows, '/posts?status=COMPLETED').count();
    await app.open('/posts?status=COMPLETED');
    const bar = page.getByRole('region', { name: 'Selection' });
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await bar.getByRole('button', { name: /^Select all \d{3},\d{3} that match$/ }).click();
    await bar.getByRole('button', { name: 'Actions' }).click();
    await timed('Act on many: the refusal of too many', async () => {
      await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
      await expect(page.getByRole('alertdialog')).toContainText(
        'More than 200,000 match. Narrow the filter',
      );
    });
    await expect(
      page.getByRole('alertdialog').getByRole('button', { name: 'Confirm' }),
    ).toBeDisabled();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    expect(
      await new PostsBySql(app.rows, '/posts?status=COMPLETED').count(),
    ).toBeGreaterThanOrEqual(before);

    // The list counts to 1,000; the preview has the whole number.
    const posts = new PostsBySql(app.rows, '/posts?cause=reconnect');
    const count = (await posts.count()).toLocaleString('en-GB');
    await app.open('/posts?cause=reconnect');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await bar.getByRole('button', { name: 'Select all 1,000+ that match' }).click();
    await expect(bar.getByText('All 1,000+ posts that match')).toBeVisible();
    await bar.getByRole('button', { name: 'Actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await expect(page.getByRole('alertdialog', { name: `Delete ${count} posts` })).toBeVisible();
  },
);
