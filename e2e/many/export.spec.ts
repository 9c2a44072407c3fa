import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { sql } from '../../server/src/db/sql.ts';
import { PostsBySql } from '../support/posts-by-sql.ts';
import { timed } from '../support/screen-times.ts';
import { AMONG_MANY } from '../support/story-posts.ts';
import { expect, test } from '../support/test.ts';

/**
 * A large file is written to disk where the operator says, in a dialog of the browser that no test can
 * press: here it goes to the page's own folder.
 */
async function saveWithoutDialog(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Object.assign(window, {
      async showSaveFilePicker({ suggestedName }: { suggestedName: string }) {
        const folder = await navigator.storage.getDirectory();
        return folder.getFileHandle(suggestedName, { create: true });
      },
    });
  });
}

type Saved = { name: string; bytes: number; head: string; rows: number; formulas: number };

/** What is in the page's own folder: rows of CSV, and cells that a spreadsheet would run. */
function savedFiles(page: Page): Promise<Saved[]> {
  return page.evaluate(async () => {
    const found: Saved[] = [];
    const folder = await navigator.storage.getDirectory();
    for await (const handle of folder.values()) {
      if (!(handle instanceof FileSystemFileHandle)) continue;
      const file = await handle.getFile();
      const saved = {
        name: file.name,
        bytes: file.size,
        head: await file.slice(0, 3).text(),
        rows: -1,
        formulas: 0,
      };
      let isQuoted = false;
      let before = '';
      const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        for (const sign of part.value) {
          // The first sign of a cell that was just opened.
          if (isQuoted && before === '"open' && '=+-@\t\r'.includes(sign)) saved.formulas += 1;
          before = sign === '"' && !isQuoted ? '"open' : sign;
          if (sign === '"') isQuoted = !isQuoted;
          else if (sign === '\n' && !isQuoted) saved.rows += 1;
        }
      }
      found.push(saved);
    }
    return found;
  });
}

async function exportAs(page: Page, format: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: format }).click();
}

test(
  'Export: all posts are one file with every row, and one that is stopped is none',
  AMONG_MANY,
  async ({ page, app }) => {
    await saveWithoutDialog(page);
    const all = new PostsBySql(app.rows, '/posts');
    const user = await app.rows.user({ display_name: '=1+1', handle: 'formula.test' });
    await app.rows.post({
      user,
      content: '=HYPERLINK("https://example.test")',
      status: 'COMPLETED',
    });
    const count = await all.count();
    const number = count.toLocaleString('en-GB');
    await timed('Export: the list of all posts', async () => {
      await app.open('/posts');
      await expect(page.getByText(`${number} posts`, { exact: true })).toBeVisible();
    });
    await exportAs(page, /^CSV/);
    await expect(page.getByText(new RegExp(`^Exported [1-9][\\d,]* of ${number}$`))).toBeVisible();
    await page.getByRole('button', { name: 'Stop' }).click();
    await expect(page.getByRole('button', { name: 'Export' })).toBeVisible();
    expect(await savedFiles(page)).toEqual([]);

    await timed('Export: all posts', async () => {
      await exportAs(page, /^CSV/);
      await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Export' })).toBeVisible({ timeout: 600_000 });
    });
    await expect(page.getByRole('alert')).toHaveCount(0);
    const [file, ...others] = await savedFiles(page);
    expect(others).toEqual([]);
    expect(file?.name).toMatch(/^meridian-posts-\d{4}-\d\d-\d\d\.csv$/);
    expect(file?.rows).toBe(count);
    expect(file?.formulas).toBe(0);
  },
);

test(
  'Export: a filtered list is saved whole, beyond what the list counts',
  AMONG_MANY,
  async ({ page, app }) => {
    await saveWithoutDialog(page);
    const from = new Date(Date.now() - 400 * 86_400_000).toISOString();
    const address = `/posts?status=FAILED&${new URLSearchParams({ from })}`;
    const count = await new PostsBySql(app.rows, address).count();
    await app.open(address);
    await expect(page.getByText('1,000+ posts', { exact: true })).toBeVisible();
    await timed('Export: failed posts', async () => {
      await exportAs(page, /^CSV/);
      await expect(page.getByRole('button', { name: 'Stop' })).toBeVisible();
      await expect(page.getByRole('button', { name: 'Export' })).toBeVisible({ timeout: 600_000 });
    });
    expect((await savedFiles(page)).map(({ rows }) => rows)).toEqual([count]);
  },
);

test(
  'Export: users are one JSON object a line, their names as they are, and text in a spreadsheet',
  AMONG_MANY,
  async ({ page, app }) => {
    await app.rows.user({ display_name: '=1+1', handle: 'formula.test' });
    await app.open('/users?search=formula');
    await expect(page.getByText('1 user', { exact: true })).toBeVisible();
    const csv = page.waitForEvent('download');
    await exportAs(page, /^CSV/);
    expect(await linesOf(await (await csv).path())).toEqual([
      expect.stringMatching(/^\uFEFFid,/),
      expect.stringContaining(`"'=1+1"`),
    ]);
    const count = await app.rows.count(sql`from users where status = 'ACTIVE'`);
    await app.open('/users?status=ACTIVE');
    await expect(
      page.getByText(`${count.toLocaleString('en-GB')} users`, { exact: true }),
    ).toBeVisible();
    const json = page.waitForEvent('download');
    await timed('Export: active users', async () => {
      await exportAs(page, /^JSON/);
      await json;
    });
    const lines = await linesOf(await (await json).path());
    expect(lines).toHaveLength(count);
    const names = lines.map(
      (line) => (JSON.parse(line) as { display_name: string | null }).display_name,
    );
    expect(names).toContain('=1+1');
  },
);

async function linesOf(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).trimEnd().split(/\r?\n/);
}
