import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installProgress } from './install-progress.mjs';
import { withLock } from './lock.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { say, seconds, Stop } from './say.mjs';

const lockFile = join(root, 'package-lock.json');
// npm's own record of what stands in node_modules, written when an install has gone through.
const installedFile = join(root, 'node_modules', '.package-lock.json');
const markerFile = join(root, 'node_modules', '.meridian-install');

/** Installs the packages when those that are there are not those of package-lock.json. */
export async function ensureInstalled() {
  if (isInstalled()) return;
  await withLock('install', async () => {
    if (isInstalled()) return; // another start did it while this one waited
    say('Installing packages: about 280 MB, once.');
    // All of them, even under NODE_ENV=production: the console is built here.
    const flags = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];
    const progress = installProgress(countWanted(), process.stdout);
    const result = await run('npm', ['ci', ...flags, '--loglevel=http'], {
      onOutput: (text) => progress.read(text),
    });
    progress.finish();
    if (!result.ok) {
      const place = unwritableCache(result.output);
      if (place !== undefined) {
        throw new Stop(
          `npm cannot write to ${place}, where its cache is; name a folder that this account may write to: npm_config_cache=FOLDER npm start`,
        );
      }
      process.stderr.write(result.output.replaceAll(/^npm http .*\n/gm, ''));
      throw new Stop('npm ci failed; its words are above.');
    }
    writeFileSync(markerFile, fingerprint());
    say(`Packages are installed (${seconds(result.ms)}).`);
  });
}

/** Whatever npm cannot write outside of the project belongs to its cache. On a read-only file system it says ENOENT. */
export function unwritableCache(output) {
  const [, path] =
    /^npm error code (?:EACCES|EPERM|EROFS|ENOENT|ENOTDIR)\n(?:npm error syscall .*\n)?npm error path (.+)$/m.exec(
      output,
    ) ?? [];
  // `root` ends with a slash.
  return path?.startsWith(root) ? undefined : path;
}

function isInstalled() {
  const installed = readIfThere(installedFile);
  if (installed === undefined) return false;
  if (readIfThere(markerFile) === fingerprint()) return true;
  // npm was run by hand. That is as good, as long as the result is the same.
  const isSame = isWhatTheLockSays(
    JSON.parse(readFileSync(lockFile, 'utf8')),
    JSON.parse(installed),
  );
  if (isSame) writeFileSync(markerFile, fingerprint());
  return isSame;
}

/** Of this lock file and this content of node_modules; a change of either asks again. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const file of [lockFile, installedFile]) hash.update(readFileSync(file));
  return hash.update(`${process.platform}-${process.arch}`).digest('hex');
}

/** Archives to fetch: a package at two places is fetched once. */
function countWanted() {
  const isRequired = requirementsOf(process.platform, process.arch, libcHere());
  const { packages } = JSON.parse(readFileSync(lockFile, 'utf8'));
  const wanted = Object.entries(packages)
    .filter(([path, one]) => path.includes('node_modules/') && !one.link && isRequired(one))
    .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
  return new Set(wanted).size;
}

function isWhatTheLockSays(lock, installed) {
  const isRequired = requirementsOf(process.platform, process.arch, libcHere());
  return Object.entries(lock.packages)
    .filter(([path, wanted]) => path.includes('node_modules/') && isRequired(wanted))
    .every(([path, wanted]) => installed.packages[path]?.version === wanted.version);
}

/** Of the optional ones those that name this machine; what only others of them need may be absent. */
function requirementsOf(platform, arch, libcName) {
  return ({ optional, os, cpu, libc = [libcName] }) =>
    !optional || (os?.includes(platform) && cpu?.includes(arch) && libc.includes(libcName));
}

function libcHere() {
  process.report.excludeNetwork = true; // it would look up the names of open connections
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  }
}
