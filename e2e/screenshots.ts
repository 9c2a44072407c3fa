import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { TOKEN_STORAGE_KEY } from '@meridian/contract';
import { chromium } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import { startMeridian } from './support/meridian.ts';
import type { Meridian } from './support/meridian.ts';
import { EMPTY_SCENES, scenesOf } from './support/scenes.ts';
import type { Scene } from './support/scenes.ts';
import { findSampleIds } from './support/screens.ts';

/*
 * Pictures of every screen, wide and narrow, light and dark, into the folder `screenshots`, first of
 * the demonstration data, then of a service without any. Arguments narrow it down to the scenes whose
 * name contains one of them. With --readme, only the pictures of the README are taken, into
 * docs/images: one window each, not the whole page.
 */

const FOLDER = path.resolve(import.meta.dirname, '../screenshots');
const LOOKS = [1440, 768, 360].flatMap((width) =>
  (['light', 'dark'] as const).map((colorScheme) => ({ width, colorScheme })),
);

const README_FOLDER = path.resolve(import.meta.dirname, '../docs/images');
const README_PICTURES = [
  { name: 'Scheduled Posts list', colorScheme: 'light', file: 'posts-light.png' },
  { name: 'User details', colorScheme: 'dark', file: 'user-dark.png' },
] as const;

const USAGE = `Takes pictures of every screen into the folder screenshots.

  npm run screenshots               all of them
  npm run screenshots -- WORD ...   those whose name contains one of the words
  npm run screenshots -- --readme   those of the README, into docs/images
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
    // The same pictures wherever they are taken: nothing comes from the network.
    '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  ],
});
try {
  if (values.readme) {
    await withMeridian({}, photographReadme);
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

async function photographReadme(meridian: Meridian): Promise<void> {
  const scenes = scenesOf(await findSampleIds(meridian));
  await mkdir(README_FOLDER, { recursive: true });
  for (const { name, colorScheme, file } of README_PICTURES) {
    const scene = scenes.find((one) => one.name === name);
    if (scene === undefined) throw new Error(`There is no scene ${name}`);
    const context = await browser.newContext({
      ...lookOf(1280, colorScheme),
      // What a page of text has room for, and small enough to be fetched with it.
      viewport: { width: 1280, height: 720 },
    });
    await signIn(context, await meridian.token());
    const page = await context.newPage();
    await open(page, `${meridian.url}${scene.path}`, scene);
    await photograph(page, path.join(README_FOLDER, file));
    await context.close();
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
  await settle(page);
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

/** Every picture is there or has failed, and the font with it. */
async function settle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (const image of document.images) image.loading = 'eager';
    await Promise.allSettled([...document.images].map((image) => image.decode()));
    await document.fonts.ready;
  });
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
