import type { Logger } from 'pino';

export type BackgroundTask = {
  stop(): Promise<void>;
};

type BackgroundTaskOptions = {
  name: string;
  intervalMs: number;
  log: Logger;
  run: (signal: AbortSignal) => Promise<unknown>;
};

export function startBackgroundTask(options: BackgroundTaskOptions): BackgroundTask {
  const { name, intervalMs, log, run } = options;
  const stopping = new AbortController();
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let current = Promise.resolve();

  async function runOnce(): Promise<void> {
    try {
      await run(stopping.signal);
      isFailing = false;
    } catch (error) {
      // One warning is logged per outage, not one per interval.
      if (!isFailing) log.warn({ err: error, task: name }, 'A background task failed; retrying');
      isFailing = true;
    }
    schedule();
  }

  function schedule(): void {
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      current = runOnce();
    }, intervalMs).unref();
  }

  schedule();
  return {
    async stop() {
      stopping.abort();
      clearTimeout(timer);
      await current;
    },
  };
}

export type Closers = ReturnType<typeof createClosers>;

export function createClosers() {
  const stack: (() => Promise<void>)[] = [];
  return {
    add(close: () => Promise<void>): void {
      stack.push(close);
    },
    /** A failure does not keep the others open; the first one is thrown at the end. */
    async closeAll(): Promise<void> {
      const failures: unknown[] = [];
      for (let close = stack.pop(); close !== undefined; close = stack.pop()) {
        try {
          await close();
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
