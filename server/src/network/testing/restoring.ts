import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { NetworkResponse } from '../network.ts';
import type { RestoreChildOptions } from './restore-child.ts';

const CHILD = fileURLToPath(new URL('./restore-child.ts', import.meta.url));

/** Processes that share an account; each call of `write` lets all of them write at once. */
export async function startRestoring(count: number, options: RestoreChildOptions) {
  const children = Array.from({ length: count }, () =>
    fork(CHILD, [JSON.stringify(options)], { execArgv: [] }),
  );
  const next = async (child: (typeof children)[number]): Promise<unknown> => {
    const over = new AbortController();
    const { signal } = over;
    const ended = once(child, 'exit', { signal }).then(([code]) => {
      throw new Error(`A process ended with code ${String(code)}`);
    });
    const message = once(child, 'message', { signal }).then(([first]): unknown => first);
    return Promise.race([message, ended]).finally(() => over.abort());
  };
  await Promise.all(children.map(next));
  return {
    write: () =>
      Promise.all(
        children.map(async (child) => {
          const response = next(child);
          child.send('write');
          return (await response) as NetworkResponse; // the child sends nothing else
        }),
      ),
    async stop() {
      const ended = children.map((child) => once(child, 'exit'));
      for (const child of children) child.disconnect();
      await Promise.all(ended);
    },
  };
}
