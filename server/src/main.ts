import { enableCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// Caches compiled code between starts; everything else is imported after this. Inside the project,
// because a user who can write to the cache can run code in this process.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/meridian', import.meta.url)));

const { start } = await import('./start.ts');
const { sentenceOf } = await import('./start-error.ts');
const { createClosers } = await import('./closers.ts');

const STOP_TIMEOUT_MS = 30_000;
const closers = createClosers();
let isStopping = false;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function stop(exitCode: number): Promise<void> {
  if (isStopping) process.exit(130);
  isStopping = true;
  // The exit closes whatever is still open after the timeout.
  await Promise.race([closers.closeAll(), delay(STOP_TIMEOUT_MS)]);
  process.exit(exitCode);
}

function fail(error: unknown): void {
  process.stderr.write(`${sentenceOf(error)}\n`);
  if (!isStopping) void stop(1);
}

// A closed terminal or log pipe must not end the server.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => {
    if (!isStopping)
      say('\nStopping. Running requests may finish; press Ctrl-C again to stop now.');
    void stop(0);
  });
}
// The state is unknown after these: finish running requests, and let the supervisor restart.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

try {
  await start(process.env, { say, isTTY: process.stdout.isTTY, closers });
} catch (error) {
  // An interrupted start fails because its resources are being closed; that is no news.
  if (!isStopping) fail(error);
}
