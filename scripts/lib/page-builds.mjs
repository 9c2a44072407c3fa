import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { filesUnder } from './files.mjs';
import { withLock } from './lock.mjs';
import { pathWithPinnedNode } from './pinned-node.mjs';
import { cacheFolder, root } from './root.mjs';
import { run, tool } from './run.mjs';
import { say, seconds, Stop } from './say.mjs';

/** What a page is made of besides its own folder; the people's page shares parts of the console. */
const PAGES = [
  { name: 'console', title: 'the console', shares: [] },
  { name: 'people', title: "the people's page", shares: ['console/src', 'console/scripts'] },
];
const OWN = ['src', 'public', 'scripts', 'index.html', 'vite.config.ts', 'package.json'];
const SHARED = ['contract/src', 'contract/package.json', 'package-lock.json'];

/** Builds the console and the people's page when what they are made of has changed since. */
export async function ensurePages(env = process.env) {
  for (const page of PAGES) await ensurePage(page, env);
}

async function ensurePage(page, env) {
  if (isFresh(page, env)) return;
  await withLock(page.name, async () => {
    if (isFresh(page, env)) return; // another start built it while this one waited
    say(`Building ${page.title}.`);
    const hash = sourceHash(page, env);
    const draft = makeDraftFolder(page);
    const cwd = join(root, page.name);
    const args = ['build', '--outDir', relative(cwd, draft), '--emptyOutDir', '--logLevel', 'warn'];
    const result = await run(tool('vite'), args, {
      cwd,
      env: { ...env, NODE_ENV: 'production', PATH: pathWithPinnedNode() },
    });
    if (!result.ok) {
      process.stderr.write(result.output);
      throw new Stop(`Building ${page.title} failed; the reason is above.`);
    }
    writeFileSync(join(draft, '.build-hash'), hash);
    swapIn(draft, distOf(page));
    say(`Built ${page.title} (${seconds(result.ms)}).`);
  });
}

function distOf({ name }) {
  return join(root, name, 'dist');
}

function isFresh(page, env) {
  const hashFile = join(distOf(page), '.build-hash');
  return existsSync(hashFile) && readFileSync(hashFile, 'utf8') === sourceHash(page, env);
}

function sourceHash({ name, shares }, env) {
  const hash = createHash('sha256');
  const sources = [...OWN.map((source) => `${name}/${source}`), ...shares, ...SHARED];
  for (const file of sources.flatMap((source) => filesUnder(join(root, source)))) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  for (const variable of Object.keys(env).toSorted()) {
    if (variable.startsWith('VITE_')) hash.update(`${variable}=${env[variable]}\0`);
  }
  return hash.digest('hex');
}

/** Built beside and moved in when whole: an interrupted build is never served. */
function makeDraftFolder({ name: page }) {
  mkdirSync(cacheFolder, { recursive: true });
  for (const name of readdirSync(cacheFolder)) {
    if (name.startsWith(`${page}-`)) rmSync(join(cacheFolder, name), { recursive: true });
  }
  const draft = join(cacheFolder, `${page}-${process.pid}`);
  mkdirSync(draft);
  return draft;
}

function swapIn(draft, dist) {
  const previous = `${draft}-previous`;
  if (existsSync(dist)) renameSync(dist, previous);
  renameSync(draft, dist);
  rmSync(previous, { recursive: true, force: true });
}
