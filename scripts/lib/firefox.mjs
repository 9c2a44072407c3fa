import { existsSync } from 'node:fs';
import { installWithApt } from './apt.mjs';
import { Stop } from './say.mjs';

const USUAL_PATHS = [
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
];

/** The path of a Firefox for the long run, installed first where that is possible. */
export async function ensureFirefox() {
  const given = process.env.FIREFOX_PATH;
  if (given) {
    if (existsSync(given)) return given;
    throw new Stop(`FIREFOX_PATH names ${given}, but there is no such file.`);
  }
  if (findFirefox() === undefined) await installWithApt('Firefox', ['firefox-esr']);
  const found = findFirefox();
  if (found !== undefined) return found;
  throw new Stop('The part firefox needs a Firefox; install one and set FIREFOX_PATH.');
}

function findFirefox() {
  return USUAL_PATHS.find((path) => existsSync(path));
}
