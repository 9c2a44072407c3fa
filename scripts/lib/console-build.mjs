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

const consoleFolder = join(root, 'console');
const dist = join(consoleFolder, 'dist');
const hashFile = join(dist, '.build-hash');
const SOURCES = [
  'console/src',
  'console/public',
  'console/scripts',
  'console/index.html',
  'console/vite.config.ts',
  'console/package.json',
  'contract/src',
  'contract/package.json',
  'package-lock.json',
];

/** Builds the console when what it is made of has changed since the last build. */
export async function ensureConsole(env = process.env) {
  if (isFresh(env)) return;
  await withLock('console', async () => {
    if (isFresh(env)) return; // another start built it while this one waited
    say('Building the console.');
    const hash = sourceHash(env);
    const draft = makeDraftFolder();
    const args = [
      'build',
      '--outDir',
      relative(consoleFolder, draft),
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ];
    const result = await run(tool('vite'), args, {
      cwd: consoleFolder,
      env: { ...env, NODE_ENV: 'production', PATH: pathWithPinnedNode() },
    });
    if (!result.ok) {
      process.stderr.write(result.output);
      throw new Stop('The console could not be built; the reason is above.');
    }
    writeFileSync(join(draft, '.build-hash'), hash);
    swapIn(draft);
    say(`The console is built (${seconds(result.ms)}).`);
  });
}

function isFresh(env) {
  return existsSync(hashFile) && readFileSync(hashFile, 'utf8') === sourceHash(env);
}

function sourceHash(env) {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((source) => filesUnder(join(root, source)))) {
    hash
      .update(`${relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  for (const name of Object.keys(env).toSorted()) {
    if (name.startsWith('VITE_')) hash.update(`${name}=${env[name]}\0`);
  }
  return hash.digest('hex');
}

/** Built beside and moved in when whole: an interrupted build is never served. */
function makeDraftFolder() {
  mkdirSync(cacheFolder, { recursive: true });
  for (const name of readdirSync(cacheFolder)) {
    if (name.startsWith('console-')) rmSync(join(cacheFolder, name), { recursive: true });
  }
  const draft = join(cacheFolder, `console-${process.pid}`);
  mkdirSync(draft);
  return draft;
}

function swapIn(draft) {
  const previous = `${draft}-previous`;
  if (existsSync(dist)) renameSync(dist, previous);
  renameSync(draft, dist);
  rmSync(previous, { recursive: true, force: true });
}
