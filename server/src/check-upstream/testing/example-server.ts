import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../../../examples/upstream-server.mjs', import.meta.url));
/** Those of the guide. */
export const EXAMPLE_LOGIN = { username: 'admin', password: 'a long password' };

export type ExampleServer = { url: string; close(): Promise<void> };

/** The example of the documentation, as its reader starts it. */
export async function startExampleServer(): Promise<ExampleServer> {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ADMIN_PASSWORD: EXAMPLE_LOGIN.password, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  for await (const line of createInterface(child.stdout)) {
    const [url] = /http:\S+/.exec(line) ?? [];
    if (url === undefined) continue;
    const close = async () => {
      child.kill();
      await closed;
    };
    return { url, close };
  }
  throw new Error('The example did not start');
}
