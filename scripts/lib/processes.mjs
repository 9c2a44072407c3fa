import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { root } from './root.mjs';
import { say, Stop } from './say.mjs';

// Tests must not depend on a developer's shell: neither settings of ours (PORT, DATABASE_URL, …) nor
// those of libraries (PG*, AWS_*, NODE_OPTIONS) get through. SCROLLBARS and TRACE are for browser tests.
const KEPT_VARIABLES =
  /^(HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|SYSTEMROOT|LD_LIBRARY_PATH|CI|TERM|COLORTERM|FORCE_COLOR|NO_COLOR|SCROLLBARS|TRACE|XDG_CACHE_HOME|XDG_RUNTIME_DIR|PLAYWRIGHT_BROWSERS_PATH)$/;

/** The Node that runs everything: the one installed as a package, else a machine's own that will do. */
export function pinnedNode() {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const packaged = join(root, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(packaged)) return packaged;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 7)) return process.execPath;
  throw new Stop(
    `Meridian runs on Node 24.7 or newer; no package brings it for ${process.platform}-${process.arch}, and this one is ${process.versions.node}.`,
  );
}

/** A PATH on which `node` is that one, for tools that look for it there. */
export function pathWithPinnedNode() {
  const folders = [dirname(pinnedNode()), join(root, 'node_modules', '.bin'), process.env.PATH];
  return folders.filter(Boolean).join(delimiter);
}

/** The environment of everything that is tested. */
export function cleanEnv(extra = {}) {
  const kept = Object.entries(process.env).filter(([name]) => KEPT_VARIABLES.test(name));
  const fixed = { PATH: pathWithPinnedNode(), LANG: 'C.UTF-8', TZ: 'UTC' };
  return { ...Object.fromEntries(kept), ...fixed, ...extra };
}

export const tool = (name) => join(root, 'node_modules', '.bin', name);

const running = new Set();

/**
 * Runs a command to its end and answers how it went; never throws for a failing one. Its output is
 * collected, or goes straight to the terminal with `show`.
 */
export function run(command, args, { env = process.env, cwd = root, show = false } = {}) {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env,
      cwd,
      stdio: show ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32', // npm and the tools are .cmd files there
    });
    running.add(child);
    const chunks = [];
    child.stdout?.on('data', (chunk) => chunks.push(chunk));
    child.stderr?.on('data', (chunk) => chunks.push(chunk));
    child.once('error', (error) => say(error.message)); // it could not be started at all
    child.once('close', (code) => {
      running.delete(child);
      const output = Buffer.concat(chunks).toString();
      resolve({ ok: code === 0, code: code ?? 1, output, ms: performance.now() - startedAt });
    });
  });
}

export function stopChildren(signal = 'SIGTERM') {
  for (const child of running) child.kill(signal);
}

/** Children that were started by `run` end with this script. */
export function endWithChildren() {
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  onOrphaned(() => end('SIGTERM'));
}

function end(signal) {
  stopChildren(signal);
  process.exit(128 + constants.signals[signal]);
}

/**
 * Runs a script of the project on the pinned Node in place of this one; answers its exit code.
 * A server gets a process group of its own and so only the signals forwarded here. A script that
 * may ask something stays with the terminal.
 */
export function handOver(nodeArgs, { env = process.env, isInteractive = false } = {}) {
  const stopWithParent = new URL('./stop-with-parent.mjs', import.meta.url).href;
  const hasTerminal = isInteractive && process.stdin.isTTY;
  const child = spawn(pinnedNode(), ['--import', stopWithParent, ...nodeArgs], {
    cwd: root,
    env,
    stdio: [isInteractive ? 'inherit' : 'ignore', 'inherit', 'inherit', 'ipc'],
    detached: !isInteractive && process.platform !== 'win32',
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal tells every script in it of Ctrl-C by itself.
  process.on('SIGINT', () => hasTerminal || child.kill('SIGINT'));
  onOrphaned(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}

/**
 * npm passes a signal on to the shell it runs this script in, and the shell ends without passing it
 * on: only the changed parent shows it. Without npm, a parent that ends is no order to stop.
 */
function onOrphaned(stop) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, 100);
  timer.unref();
}
