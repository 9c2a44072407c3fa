import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installWithApt } from './apt.mjs';
import { root } from './root.mjs';
import { run, tool } from './run.mjs';
import { say, seconds, Stop } from './say.mjs';

const USUAL_PATHS = [
  // The same browser without a window around it: the tests take half the time.
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
// With the fonts that make Japanese, Korean and emoji more than boxes.
const PACKAGES = ['chromium-headless-shell', 'fonts-noto-cjk', 'fonts-noto-color-emoji'];

/** The path of a Chromium for the browser tests, installed first where that is possible. */
export async function ensureChromium() {
  const given = process.env.CHROMIUM_PATH;
  if (given) {
    if (existsSync(given)) return given;
    throw new Stop(`CHROMIUM_PATH names ${given}, but there is no such file.`);
  }
  return (
    findChromium() ??
    (await installed(() => installWithApt('Chromium', PACKAGES))) ??
    (await installed(installWithPlaywright)) ??
    none()
  );
}

function findChromium() {
  return USUAL_PATHS.find((path) => existsSync(path)) ?? playwrightsOwn();
}

async function installed(install) {
  await install();
  return findChromium();
}

async function installWithPlaywright() {
  say('Asking Playwright to download Chromium.');
  const result = await run(tool('playwright'), ['install', 'chromium']);
  if (result.ok) say(`Chromium is installed (${seconds(result.ms)}).`);
  else process.stderr.write(result.output);
}

function playwrightsOwn() {
  const require = createRequire(join(root, 'e2e', 'package.json'));
  const path = require('@playwright/test').chromium.executablePath();
  return existsSync(path) ? path : undefined;
}

function none() {
  throw new Stop(
    'The browser tests need a Chromium and none could be installed; install one and set CHROMIUM_PATH.',
  );
}
