import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { onOrphaned } from './orphaned.mjs';
import { pinnedNode } from './pinned-node.mjs';
import { root } from './root.mjs';

// Ctrl-C arrives here twice, from the terminal and from npm; a person's second one comes later.
const SAME_SIGNAL_MS = 500;

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
  const forwardedAt = new Map();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      if (signal === 'SIGINT' && hasTerminal) return; // the terminal has told the script itself
      const now = performance.now();
      if (now - (forwardedAt.get(signal) ?? -Infinity) < SAME_SIGNAL_MS) return;
      forwardedAt.set(signal, now);
      child.kill(signal);
    });
  }
  onOrphaned(() => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
  });
}
