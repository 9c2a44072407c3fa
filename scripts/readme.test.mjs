import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { chmodSync, cpSync, mkdirSync, readlinkSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanEnv } from './lib/processes.mjs';
import { root } from './lib/root.mjs';

/*
 * What the README promises, done in a fresh copy of the project: nothing built, no data. Only the
 * download of the packages is spared: they are linked from here.
 */

const BOX = /│ {2}(Address|User name|Password) +(\S.*?) +│/g;

let clone;
beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'meridian-clone-'));
  // The database's own account has to pass through when this runs as root.
  chmodSync(clone, 0o755);
  for (const file of projectFiles()) {
    mkdirSync(join(clone, dirname(file)), { recursive: true });
    cpSync(join(root, file), join(clone, file));
  }
  linkPackages(join(root, 'node_modules'), join(clone, 'node_modules'));
});
afterAll(() => rmSync(clone, { recursive: true, force: true }));

function projectFiles() {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim().split('\n');
  return listed.filter((file) => existsSync(join(root, file)));
}

/** A link to every package, but the project's own: those are links to folders beside. */
function linkPackages(from, to) {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (basename(from) === '.bin' || entry.isFile()) cpSync(source, target);
    else if (entry.name.startsWith('@') || entry.name === '.bin') linkPackages(source, target);
    else if (!entry.name.startsWith('.')) symlinkSync(source, target);
  }
}

/** The commands of the README's first block, without the words beside them. */
function commands() {
  const block = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(clone, 'README.md'), 'utf8'))[1];
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, ''));
}

/** Starts it as a terminal would and waits for the box; `interrupt` is Ctrl-C. */
async function start(command) {
  const child = spawn(command, {
    cwd: clone,
    // Any free port: another Meridian may have the usual one.
    env: cleanEnv({ PORT: '0' }),
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const interrupt = async () => {
    // The whole group, as a terminal does it.
    if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGINT');
    await closed;
  };
  let output = '';
  const ready = new Promise((resolve, reject) => {
    const read = (chunk) => {
      output += chunk;
      if (output.includes('└')) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    void closed.then(() => reject(new Error(`It ended:\n${output}`)));
  });
  await ready;
  const shown = Object.fromEntries([...output.matchAll(BOX)].map(([, key, value]) => [key, value]));
  return { output: () => output, shown, interrupt };
}

async function signIn({ Address: address, 'User name': username, Password: place }) {
  const password = readFileSync(join(clone, place.replace(/^in /, '')), 'utf8').trim();
  const response = await fetch(`${address}/api/admin/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  expect(response.status).toBe(200);
  const { token } = await response.json();
  return async (path) => {
    const answer = await fetch(`${address}/api/admin/${path}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.json();
  };
}

describe('in a fresh clone', { timeout: 180_000 }, () => {
  test('the two commands are npm start and npm test', () => {
    expect(commands()).toEqual(['npm start', 'npm test']);
    const { scripts } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'));
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'test']));
  });

  test('the first builds, fills and serves everything, and Ctrl-C ends it', async () => {
    const server = await start(commands()[0]);
    try {
      expect(server.output()).toContain('Built the console');
      const page = await fetch(`${server.shown.Address}/login`, {
        headers: { accept: 'text/html' },
      });
      expect(page.status).toBe(200);
      expect(await page.text()).toContain('<div id="root"');
      const get = await signIn(server.shown);
      expect((await get('users')).total).toBeGreaterThan(10);
      expect((await get('posts')).total).toBeGreaterThan(100);
    } finally {
      await server.interrupt();
    }
    expect(server.output()).toContain('Stopping.');
    await expect(fetch(server.shown.Address)).rejects.toThrow('fetch failed');
  });

  test('the next start builds and fills nothing, and has lost nothing', async () => {
    const server = await start(commands()[0]);
    try {
      expect(server.output()).not.toMatch(/Building|Demonstration data|Made the first/);
      const get = await signIn(server.shown);
      expect((await get('posts')).total).toBeGreaterThan(100);
    } finally {
      await server.interrupt();
    }
  });
});
