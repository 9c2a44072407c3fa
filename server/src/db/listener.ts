import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';

const RECONNECT_MS = 1_000;

export type ListenerOptions = {
  connection: ClientConfig;
  name: string;
  channels: readonly string[];
  /** Also after every connect: what was notified before is unknown. */
  onNotification: (channel: string, payload: string) => void;
  onError: (error: unknown) => void;
};

/** Listens on one connection, opened again when it breaks, until the signal is aborted. */
export async function listenUntil(signal: AbortSignal, options: ListenerOptions): Promise<void> {
  const { connection, name, channels, onNotification, onError } = options;
  while (!signal.aborted) {
    const client = new Client({ ...connection, application_name: name, keepAlive: true });
    const ended = new AbortController();
    const end = () => ended.abort();
    client.on('error', end);
    client.on('end', end);
    signal.addEventListener('abort', end, { signal: ended.signal });
    client.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload));
    try {
      await client.connect();
      // Names of this code, never of a request.
      for (const channel of channels) await client.query(`listen ${channel}`);
      onNotification('', '');
      if (!ended.signal.aborted) await once(ended.signal, 'abort');
    } catch (error) {
      onError(error);
    }
    end();
    await client.end().catch(() => {});
    await delay(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}
