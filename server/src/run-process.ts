import { setTimeout as delay } from 'node:timers/promises';
import { createClosers } from './background-task.ts';
import type { StartOptions } from './start.ts';
import { sentenceOf } from './start-error.ts';

const STOP_TIMEOUT_MS = 30_000;
/** npm passes on a signal that a terminal or a supervisor sent to every process of a service. */
const SAME_SIGNAL_MS = 500;

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export async function runProcess(
  start: (env: NodeJS.ProcessEnv, options: StartOptions) => Promise<void>,
  stoppingNote: string,
): Promise<void> {
  const closers = createClosers();
  let isStopping = false;

  async function stop(exitCode: number): Promise<void> {
    if (isStopping) process.exit(130);
    isStopping = true;
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

  let signalledAt = -Infinity;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (isStopping && performance.now() - signalledAt < SAME_SIGNAL_MS) return;
      signalledAt = performance.now();
      if (!isStopping) say(`\nStopping. ${stoppingNote}; press Ctrl-C again to stop now.`);
      void stop(0);
    });
  }
  // The state is unknown after these events, so the supervisor has to restart.
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);

  try {
    await start(process.env, { say, isTTY: process.stdout.isTTY, closers });
  } catch (error) {
    // An interrupted start fails because its resources are being closed.
    if (!isStopping) fail(error);
  }
}
