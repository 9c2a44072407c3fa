import { createServer } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Seen = { method: string; url: URL; body: unknown; hasToken: boolean };
export type Sent = { status: number; body: unknown };
/** Changes a request before it is passed on, or the response to it. */
export type Alteration = {
  request?: (seen: Seen) => void;
  response?: (sent: Sent, seen: Seen) => Sent;
};

/** A server that is right but for one thing: everything else is done by another one. */
export async function startAlteredServer(base: string, { request, response }: Alteration) {
  const server = createServer((incoming, outgoing) => {
    void seenOf(incoming, base).then(async (seen) => {
      request?.(seen);
      const reply = await fetch(seen.url, {
        method: seen.method,
        headers: {
          'content-type': 'application/json',
          authorization: incoming.headers.authorization ?? '',
        },
        ...(seen.body !== undefined && { body: JSON.stringify(seen.body) }),
      });
      const sent = { status: reply.status, body: await reply.json() };
      const { status, body } = response?.(sent, seen) ?? sent;
      outgoing.writeHead(status, { 'content-type': 'application/json' });
      outgoing.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has a port.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function seenOf(incoming: IncomingMessage, base: string): Promise<Seen> {
  const sent = await text(incoming);
  return {
    method: incoming.method ?? 'GET',
    url: new URL(base + (incoming.url ?? '')),
    body: sent === '' ? undefined : JSON.parse(sent),
    hasToken: incoming.headers.authorization !== undefined,
  };
}
