import { enableCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// Keeps what was compiled between starts; everything else is imported after it. In a folder of our
// own, because whoever can write there can put code into this process.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/meridian', import.meta.url)));

const { start } = await import('./start.ts');
const { sentenceOf } = await import('./start-error.ts');
const { createClosers } = await import('./closers.ts');

const STOP_LIMIT_MS = 30_000;
const closers = createClosers();
let isStopping = false;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) process.exit(130);
  isStopping = true;
  // Nothing may hold up the end for ever; what is left closes with the process.
  await Promise.race([closers.closeAll(), delay(STOP_LIMIT_MS)]);
  process.exit(exitCode);
}

function fail(error: unknown): void {
  process.stderr.write(`${sentenceOf(error)}\n`);
  if (!isStopping) void stop(1);
}

// A terminal or a log reader that goes away must not take the server with it.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!isStopping)
      say('\nStopping. Running requests may finish; press Ctrl-C again to stop now.');
    void stop(0);
  });
}
// The state is unknown after these: finish what runs, and let the supervisor start anew.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

try {
  await start(process.env, { say, isTTY: process.stdout.isTTY, closers });
} catch (error) {
  // Stopped half way, it fails for want of what has been closed.
  if (!isStopping) fail(error);
}
