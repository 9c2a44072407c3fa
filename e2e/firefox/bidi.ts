import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

type Message = {
  id?: number;
  type: 'success' | 'error' | 'event';
  method?: string;
  message?: string;
  result?: unknown;
  params?: unknown;
};

export type Firefox = {
  /** One command of WebDriver BiDi. */
  send<Result>(method: string, params: object): Promise<Result>;
  on(method: string, hear: (params: unknown) => void): void;
  close(): Promise<void>;
};

/** A Firefox without a window on an empty profile, driven over WebDriver BiDi. */
export async function openFirefox(path: string): Promise<Firefox> {
  const profile = await mkdtemp(join(tmpdir(), 'meridian-firefox-'));
  const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port', '0'];
  const child = spawn(path, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'close');
  const socket = new WebSocket(`${await addressIn(child.stderr)}/session`);
  await once(socket, 'open');

  const pending = new Map<number, PromiseWithResolvers<unknown>>();
  const listeners = new Map<string, (params: unknown) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message; // the protocol's own shape
    if (message.type === 'event') return listeners.get(message.method ?? '')?.(message.params);
    const waiting = pending.get(message.id ?? 0);
    pending.delete(message.id ?? 0);
    if (message.type === 'success') waiting?.resolve(message.result);
    else waiting?.reject(new Error(message.message));
  });
  socket.addEventListener('close', () => {
    for (const { reject } of pending.values()) reject(new Error('Firefox has gone'));
  });

  let id = 0;
  const send = async <Result>(method: string, params: object): Promise<Result> => {
    id += 1;
    const answer = Promise.withResolvers<unknown>();
    pending.set(id, answer);
    socket.send(JSON.stringify({ id, method, params }));
    return (await answer.promise) as Result; // the method decides the shape
  };
  await send('session.new', { capabilities: {} });
  return {
    send,
    on: (method, hear) => void listeners.set(method, hear),
    async close() {
      await send('browser.close', {});
      await ended;
      await rm(profile, { recursive: true, force: true });
    },
  };
}

async function addressIn(output: NodeJS.ReadableStream): Promise<string> {
  let said = '';
  for await (const line of createInterface({ input: output })) {
    said += `${line}\n`;
    const address = /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error(`Firefox did not start:\n${said}`);
}
