import { connect } from 'node:net';
import { pathToFileURL } from 'node:url';
import { pino } from 'pino';
import { buildApp } from '../../app.ts';
import { readConfig } from '../../config.ts';
import { startRawService } from './raw-service.ts';
import type { RawService } from './raw-service.ts';

export type RawClient = {
  /** Everything that came back so far. */
  received: () => string;
  /** Ends when this has come, or when the connection is closed. */
  until: (part: RegExp) => Promise<void>;
};

export type RawProxy = {
  service: RawService;
  /** Opens a connection, writes the bytes and leaves it open. */
  client(bytes: string): RawClient;
  /** The whole response to a correct request of another person, on a connection of their own. */
  bystander(token: string): Promise<string>;
  close(): Promise<void>;
};

/** Matches nothing: a wait for it ends when the connection is closed. */
const NEVER = /(?!)/;

/** The app in front of a raw service, and clients that speak to it in bytes. */
export async function startRawProxy(): Promise<RawProxy> {
  const service = await startRawService();
  const config = readConfig({ UPSTREAM_API: `http://127.0.0.1:${service.port}/base/` });
  const log = pino({ level: 'silent' });
  const consoleDir = pathToFileURL('/nowhere/');
  const app = await buildApp({ config, log, context: null, consoleDir });
  const port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
  const clients = new Set<() => void>();

  function client(bytes: string): RawClient {
    const socket = connect(port, '127.0.0.1');
    clients.add(() => socket.destroy());
    // A refused connection may be reset; what counts is what came back before.
    socket.setEncoding('latin1').on('error', () => {});
    let received = '';
    socket.on('data', (text: string) => {
      received += text;
    });
    socket.write(bytes, 'latin1');
    const until = (part: RegExp) =>
      new Promise<void>((resolve) => {
        const look = () => {
          if (part.test(received)) resolve();
        };
        socket.on('data', look);
        socket.on('close', () => resolve());
        look();
      });
    return { received: () => received, until };
  }

  return {
    service,
    client,
    async bystander(token) {
      const { received, until } = client(
        `GET /api/admin/auth/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
      );
      await until(NEVER);
      return received();
    },
    async close() {
      for (const destroy of clients) destroy();
      await app.close();
      await service.close();
    },
  };
}
