import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Locator, Page } from '@playwright/test';
import { expect } from '@playwright/test';
import { fillLogin, loginButton, loginHeading } from './support/login-page.ts';
import { ADMIN } from './support/meridian.ts';
import type { Meridian } from './support/meridian.ts';
import { settlePictures } from './support/settle-pictures.ts';

/** Wide enough for the menu; the picture has 960 by 600 pixels. */
const WINDOW = { viewport: { width: 1200, height: 750 }, deviceScaleFactor: 0.8 };
/** The frame for a reader who wants no motion. */
const STILL_CAPTION = 'Everything that is scheduled';
const TERMINAL_LINES = 24;
const PASSWORD_FILE = 'initial-admin-password';

const img2webp = (args: string[]) => promisify(execFile)('img2webp', args);

/** What a newcomer sees in the first minute, as an animated picture: frames of the running product. */
export async function recordFirstMinute(
  browser: Browser,
  meridian: Meridian,
  { folder, dataDir }: { folder: string; dataDir: string },
): Promise<void> {
  await img2webp(['-version']).catch((cause: unknown) => {
    throw new Error("img2webp is missing; it is in Debian's package webp", { cause });
  });
  const frames = await mkdtemp(path.join(tmpdir(), 'meridian-frames-'));
  const context = await browser.newContext({
    ...WINDOW,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  });
  try {
    const film = createFilm(await context.newPage(), frames);
    await playFirstMinute(film, meridian, dataDir);
    await copyFile(film.fileOf(STILL_CAPTION), path.join(folder, 'first-minute.png'));
    const target = path.join(folder, 'first-minute.webp');
    await img2webp([...'-loop 0 -mixed -q 92 -m 6'.split(' '), ...film.holds(), '-o', target]);
  } finally {
    await context.close();
    await rm(frames, { recursive: true });
  }
}

type Film = ReturnType<typeof createFilm>;

function createFilm(page: Page, folder: string) {
  const frames: { file: string; caption: string; holdMs: number }[] = [];
  return {
    page,
    fileOf: (caption: string) => frames.find((frame) => frame.caption === caption)?.file ?? '',
    holds: () => frames.flatMap(({ file, holdMs }) => ['-d', String(holdMs), file]),
    async add(caption: string, holdMs: number): Promise<void> {
      const file = path.join(folder, `${frames.length}.png`);
      await settlePictures(page);
      await showCaption(page, caption);
      await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
      frames.push({ file, caption, holdMs });
    },
  };
}

async function playFirstMinute(film: Film, meridian: Meridian, dataDir: string): Promise<void> {
  const { page } = film;
  await showTerminal(page, '');
  await film.add('Clone it and start it', 1600);
  await showTerminal(page, withUsualNames(meridian, dataDir));
  await film.add('It installs, builds and fills in demonstration data', 3000);

  await page.goto(meridian.url);
  await expect(loginHeading(page)).toBeVisible();
  const password = await readFile(path.join(dataDir, PASSWORD_FILE), 'utf8');
  await fillLogin(page, ADMIN.username, password.trim());
  await film.add('Sign in', 1500);
  await loginButton(page).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await film.add('An invented service: 480 users, 6000 posts', 2500);
  await page.goto(`${meridian.url}/posts`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await film.add(STILL_CAPTION, 2500);

  await page.goto(`${meridian.url}/engine`);
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  const published = page.getByRole('article').filter({ hasText: 'Published, last minute' });
  await addChanges(film, published, 'The engine publishes a post every few seconds', 1500);
  await page.goto(`${meridian.url}/local-network/`);
  const newest = page.getByRole('article').first();
  await addChanges(
    film,
    newest,
    'They appear on the local network: nothing leaves the machine',
    2000,
  );
}

/** Three frames, each after this part of the page has changed. */
async function addChanges(
  film: Film,
  part: Locator,
  caption: string,
  holdMs: number,
): Promise<void> {
  let before = '';
  for (let change = 0; change < 3; change += 1) {
    await expect(part).not.toHaveText(before, { timeout: 60_000, useInnerText: true });
    before = await part.innerText();
    await film.add(caption, holdMs);
  }
}

/** What it said, with the port and the folder of a start without settings; the box keeps its width. */
function withUsualNames({ output, url }: Meridian, dataDir: string): string {
  const passwordFile = path.join(dataDir, PASSWORD_FILE);
  return output
    .replaceAll(url, 'http://127.0.0.1:3000'.padEnd(url.length))
    .replaceAll(passwordFile, `./data/${PASSWORD_FILE}`.padEnd(passwordFile.length));
}

async function showTerminal(page: Page, output: string): Promise<void> {
  await page.setContent('<pre></pre>');
  await page.addStyleTag({
    content: `body { margin: 0; background: #f6f8fa; color: #1f2328 }
      pre { margin: 32px; font: 18px/1.45 'DejaVu Sans Mono', monospace; white-space: pre }`,
  });
  const typed = ['git clone <this repository> meridian', 'cd meridian', 'npm start'];
  const lines = [...typed.map((line) => `$ ${line}`), ...output.split('\n')];
  const text = lines.slice(-TERMINAL_LINES).join('\n');
  await page.locator('pre').evaluate((pre, shown) => void (pre.textContent = shown), text);
}

/** Over the page, below its content: what is to be seen. */
async function showCaption(page: Page, caption: string): Promise<void> {
  await page.evaluate((text) => {
    const bar = document.querySelector<HTMLElement>('#caption') ?? document.createElement('div');
    bar.id = 'caption';
    bar.textContent = text;
    bar.style.cssText = `position: fixed; inset: auto 0 0; z-index: 9999; padding: 14px 24px;
        background: #1f2328; color: #fff; font: 500 22px/1.3 Inter, 'DejaVu Sans', sans-serif; text-align: center`;
    document.body.append(bar);
    // The bar would end where the scrollbar has its room.
    document.documentElement.style.scrollbarGutter = 'auto';
  }, caption);
}
