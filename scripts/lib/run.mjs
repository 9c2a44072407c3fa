import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { onOrphaned } from './orphaned.mjs';
import { root } from './root.mjs';

const running = new Set();

/**
 * Runs a command to its end and answers how it went; never throws for a failing one. Its output is
 * collected, and passed to `onOutput` as it comes, or goes straight to the terminal with `show`.
 */
export function run(
  command,
  args,
  { env = process.env, cwd = root, show = false, onOutput = () => {} } = {},
) {
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
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk) => {
        chunks.push(chunk);
        onOutput(String(chunk));
      });
    }
    const finish = (code, trouble = '') => {
      running.delete(child);
      const output = Buffer.concat(chunks).toString() + trouble;
      resolve({ ok: code === 0, code, output, ms: performance.now() - startedAt });
    };
    child.once('error', (error) => finish(-1, `${error.message}\n`));
    child.once('close', (code) => finish(code ?? -1));
  });
}

/** A command-line tool this project installed. */
export function tool(name) {
  return join(root, 'node_modules', '.bin', name);
}

export function stopChildren(signal = 'SIGTERM') {
  for (const child of running) child.kill(signal);
}

/** What was started ends with the script that started it. */
export function endWithChildren() {
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
  onOrphaned(() => end('SIGTERM'));
}

function end(signal) {
  stopChildren(signal);
  process.exit(128 + constants.signals[signal]);
}
