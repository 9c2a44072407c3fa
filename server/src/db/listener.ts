import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { ClientConfig } from 'pg';

const RECONNECT_MS = 1_000;
const ASK_MS = 20_000;
const RESPONSE_MS = 10_000;
const CLOSE_MS = 2_000;

type ListenerOptions = {
  connection: ClientConfig;
  name: string;
  channels: readonly string[];
  /** The call after each connect has empty texts: what was notified before is unknown. */
  onNotification: (channel: string, payload: string) => void;
  onError: (error: unknown) => void;
  askMs?: number;
};

export async function listenUntil(signal: AbortSignal, options: ListenerOptions): Promise<void> {
  const { connection, name, channels, onNotification, onError, askMs = ASK_MS } = options;
  while (!signal.aborted) {
    const client = new Client({
      connectionTimeoutMillis: RESPONSE_MS,
      query_timeout: RESPONSE_MS,
      ...connection,
      application_name: name,
    });
    const ended = new AbortController();
    const end = () => ended.abort();
    client.on('error', end);
    client.on('end', end);
    signal.addEventListener('abort', end, { signal: ended.signal });
    client.on('notification', ({ channel, payload = '' }) => onNotification(channel, payload));
    try {
      await client.connect();
      // The names are constants of this code.
      for (const channel of channels) await client.query(`listen ${channel}`);
      onNotification('', '');
      while (await isOpenAfter(askMs, ended.signal)) await client.query('select');
    } catch (error) {
      onError(error);
    }
    end();
    const closed = client.end().catch(() => {});
    await Promise.race([closed, delay(CLOSE_MS, undefined, { ref: false })]);
    await delay(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => {});
  }
}

const isOpenAfter = (ms: number, ended: AbortSignal) =>
  delay(ms, true, { signal: ended, ref: false }).catch(() => false);
