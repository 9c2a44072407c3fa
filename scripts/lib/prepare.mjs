import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { pathWithPinnedNode, run, tool } from './processes.mjs';
import { root } from './root.mjs';
import { say, seconds, Stop } from './say.mjs';

/** Installs the packages of a folder when those that are there are not those of its lock file. */
export async function ensureInstalled(folder = root, size = '280 MB') {
  if (isInstalled(folder)) return;
  say(`Installing packages: about ${size}, once.`);
  // All of them, even under NODE_ENV=production: the console is built here.
  const flags = ['--include=dev', '--include=optional', '--ignore-scripts', '--loglevel=error'];
  const { ok, ms } = await run('npm', ['ci', ...flags], { cwd: folder, show: true });
  if (ok) return say(`Packages are installed (${seconds(ms)}).`);
  throw new Stop(
    'npm ci failed; its words are above. If it cannot write to its cache, name a folder that this account may write to: npm_config_cache=FOLDER npm start',
  );
}

/** npm writes its own record into node_modules when an install has gone through. */
function isInstalled(folder) {
  const [wanted, installed] = ['package-lock.json', 'node_modules/.package-lock.json']
    .map((file) => join(folder, file))
    .map((file) => (fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')).packages : {}));
  return Object.entries(wanted)
    .filter(([path, one]) => path.includes('node_modules/') && isRequired(one))
    .every(([path, { version }]) => installed[path]?.version === version);
}

/** npm leaves out the optional packages of other machines. */
function isRequired({ optional, os, cpu, libc }) {
  if (!optional) return true;
  return os?.includes(process.platform) && cpu?.includes(process.arch) && libc === undefined;
}

/** What the two pages are made of. */
const SOURCES = ['ui', 'console', 'me', 'contract/src'].map((folder) => join(root, folder));
const PAGES = { console: 'the console', me: 'the page of members' };

/** Builds the console and the page of members when what they are made of has changed since. */
export async function ensurePages(env = process.env) {
  const hash = createHash('sha256').update(env.VITE_API_BASE_URL ?? '');
  for (const file of [join(root, 'package-lock.json'), ...SOURCES.flatMap(filesIn)]) {
    hash.update(`${relative(root, file)}\0`).update(fs.readFileSync(file));
  }
  const wanted = hash.digest('hex');
  for (const [name, title] of Object.entries(PAGES)) {
    const hashFile = join(root, name, 'dist', '.build-hash');
    if (fs.existsSync(hashFile) && fs.readFileSync(hashFile, 'utf8') === wanted) continue;
    await build(name, title, wanted, { ...env, PATH: pathWithPinnedNode() });
  }
}

function filesIn(folder) {
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  const isOther = (file) => /[/\\](node_modules|dist|test)[/\\]/.test(file.slice(folder.length));
  return files.filter((file) => !isOther(file)).toSorted();
}

/** Builds beside and moves in when whole: an interrupted build is never served. */
async function build(name, title, hash, env) {
  say(`Building ${title}.`);
  const cwd = join(root, name);
  const draft = join(root, '.cache', `${name}-${process.pid}`);
  const args = ['build', '--outDir', relative(cwd, draft), '--emptyOutDir', '--logLevel', 'warn'];
  const result = await run(tool('vite'), args, { cwd, env: { ...env, NODE_ENV: 'production' } });
  if (!result.ok) {
    process.stderr.write(result.output);
    throw new Stop(`Building ${title} failed; the reason is above.`);
  }
  fs.writeFileSync(join(draft, '.build-hash'), hash);
  const dist = join(cwd, 'dist');
  fs.rmSync(dist, { recursive: true, force: true });
  fs.renameSync(draft, dist);
  say(`Built ${title} (${seconds(result.ms)}).`);
}

/** Programs that tests need beside the packages: their usual places, and Debian's packages. */
const PROGRAMS = {
  Chromium: {
    variable: 'CHROMIUM_PATH',
    places: [
      // The same browser without a window around it: the tests take half the time.
      '/usr/bin/chromium-headless-shell',
      '/usr/bin/chromium',
      '/usr/bin/google-chrome',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ],
    // The fonts make Japanese, Korean and emoji more than boxes.
    packages: ['chromium-headless-shell', 'fonts-noto-cjk', 'fonts-noto-color-emoji'],
  },
  Firefox: {
    variable: 'FIREFOX_PATH',
    places: ['/usr/bin/firefox-esr', '/usr/bin/firefox'],
    packages: ['firefox-esr'],
  },
  PgBouncer: { places: ['/usr/sbin/pgbouncer'], packages: ['pgbouncer'] },
  PostgreSQL: { places: ['/usr/lib/postgresql'], packages: ['postgresql'] },
};

/** Installs the program where that is possible; answers the variable by which tests find it. */
export async function ensureProgram(name) {
  const { variable, places, packages } = PROGRAMS[name];
  const given = process.env[variable];
  if (given && fs.existsSync(given)) return { [variable]: given };
  if (given) throw new Stop(`${variable} names ${given}, but there is no such file.`);
  const require = createRequire(join(root, 'e2e', 'package.json'));
  const own = name === 'Chromium' ? require('@playwright/test').chromium.executablePath() : '';
  const find = () => [...places, own].find((path) => fs.existsSync(path));
  if (find() === undefined && process.getuid?.() === 0 && fs.existsSync('/usr/bin/apt-get')) {
    say(`Installing ${name} with apt-get.`);
    const options = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, show: true };
    await run('apt-get', ['update', '-qq'], options);
    await run('apt-get', ['install', '-yqq', '--no-install-recommends', ...packages], options);
  }
  if (find() === undefined && name === 'Chromium') {
    say('Asking Playwright to download Chromium.');
    await run(tool('playwright'), ['install', 'chromium'], { show: true });
  }
  if (variable === undefined) return {}; // tests look for it themselves, and say what they skip
  if (find() !== undefined) return { [variable]: find() };
  throw new Stop(
    `The tests need a ${name} and none could be installed; install one and set ${variable}.`,
  );
}
