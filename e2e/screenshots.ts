import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { TOKEN_STORAGE_KEY } from '@meridian/contract';
import { chromium } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import { recordFirstMinute } from './first-minute.ts';
import { startMeridian } from './support/meridian.ts';
import type { Meridian } from './support/meridian.ts';
import { EMPTY_SCENES, scenesOf } from './support/scenes.ts';
import type { Scene } from './support/scenes.ts';
import { findSampleIds } from './support/screens.ts';
import { settlePictures } from './support/settle-pictures.ts';

/*
 * Pictures of every screen, wide and narrow, light and dark, into the folder `screenshots`, first of
 * the demonstration data, then of a service without any. Arguments narrow it down to the scenes whose
 * name contains one of them. With --readme, only the first minute is recorded, into docs/images.
 */

const FOLDER = path.resolve(import.meta.dirname, '../screenshots');
const LOOKS = [1440, 768, 360].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

const README_FOLDER = path.resolve(import.meta.dirname, '../docs/images');

const USAGE = `Takes pictures of every screen into the folder screenshots.

  npm run screenshots               all of them
  npm run screenshots -- WORD ...   those whose name contains one of the words
  npm run screenshots -- --readme   the first minute, as an animated picture for the README; needs
                                    img2webp (Debian's package webp)
`;

const { values, positionals } = parseArgs({
  options: {
    help: { type: 'boolean', default: false },
    readme: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit();
}
const words = positionals.map((word) => word.toLowerCase());
const isWanted = ({ name }: Scene) =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word));

const executablePath = process.env['CHROMIUM_PATH'];
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: [
    '--no-sandbox',
    '--no-first-run',
    '--hide-scrollbars',
    // Else letters are moved to whole pixels, which shows in a picture that is scaled down.
    '--font-render-hinting=none',
    // The same pictures wherever they are taken: nothing comes from the network.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
});
try {
  if (values.readme) {
    // Without a password of the tests, as a newcomer starts it.
    const { meridian, dataDir, stop } = await startMeridian({ ADMIN_PASSWORD: '' });
    try {
      await recordFirstMinute(browser, meridian, { folder: README_FOLDER, dataDir });
    } finally {
      await stop();
    }
  } else {
    if (words.length === 0) await rm(FOLDER, { recursive: true, force: true });
    await withMeridian({}, async (meridian) =>
      photographAll(meridian, scenesOf(await findSampleIds(meridian))),
    );
    await withMeridian({ DEMO_DATA: 'off' }, (meridian) => photographAll(meridian, EMPTY_SCENES));
  }
} finally {
  await browser.close();
}

async function withMeridian(
  settings: Record<string, string>,
  work: (meridian: Meridian) => Promise<void>,
): Promise<void> {
  const { meridian, stop } = await startMeridian(settings);
  try {
    await work(meridian);
  } finally {
    await stop();
  }
}

async function photographAll(meridian: Meridian, scenes: readonly Scene[]): Promise<void> {
  const wanted = scenes.filter(isWanted);
  if (wanted.length === 0) return;
  for (const { width, colorScheme } of LOOKS) {
    const folder = path.join(FOLDER, `${width}-${colorScheme}`);
    await mkdir(folder, { recursive: true });
    const look = lookOf(width, colorScheme);
    const guest = await browser.newContext(look);
    const signedIn = await browser.newContext(look);
    await signIn(signedIn, await meridian.token());
    for (const scene of wanted) {
      if (scene.widths?.includes(width) === false) continue;
      const file = path.join(folder, fileName(scenes.indexOf(scene), scene));
      const page = await (scene.isPublic ? guest : signedIn).newPage();
      await open(page, `${meridian.url}${scene.path}`, scene);
      await showWhole(page);
      await photograph(page, file);
    }
    await guest.close();
    await signedIn.close();
  }
}

function lookOf(width: number, colorScheme: 'light' | 'dark') {
  const isPhone = width < 768;
  return {
    viewport: { width, height: isPhone ? 780 : 900 },
    isMobile: isPhone,
    hasTouch: isPhone,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
  } as const;
}

async function open(page: Page, address: string, scene: Scene): Promise<void> {
  await scene.before?.(page);
  await page.goto(address);
  await scene.arrange(page);
}

async function photograph(page: Page, file: string): Promise<void> {
  await settlePictures(page);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  await page.close();
  process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
}

/** A window as high as the page, so that nothing sticks half way and no list is cut short. */
async function showWhole(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const needed = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width, height: Math.max(height, needed) });
}

async function signIn(context: BrowserContext, token: string): Promise<void> {
  await context.addInitScript(([key, value]) => localStorage.setItem(key, value), [
    TOKEN_STORAGE_KEY,
    token,
  ] as const);
}

function fileName(index: number, { name }: Scene): string {
  const number = String(index + 1).padStart(2, '0');
  return `${number}-${name.toLowerCase().replaceAll(' ', '-')}.png`;
}
