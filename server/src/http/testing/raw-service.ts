import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** One request exactly as it arrived. */
export type RawRequest = {
  connection: number;
  /** Request line and headers, byte for byte. */
  head: string;
  body: string;
};

export type RawService = {
  port: number;
  requests: RawRequest[];
  /** Bytes that are not (yet) a whole request, by connection. */
  leftovers(): string[];
  /** Writes the response; the default repeats the credential it was asked with. */
  respond: (request: RawRequest, socket: Socket) => void;
  /** Writes a response as soon as the headers are there, before the body is. */
  respondEarly: ((head: string, socket: Socket) => void) | null;
  close(): Promise<void>;
};

const HEAD_END = '\r\n\r\n';

/**
 * A service that reads HTTP/1.1 in the strictest way: a body is framed by exactly one Content-Length
 * and by nothing else. It shares no parser with the proxy under test.
 */
export async function startRawService(): Promise<RawService> {
  const sockets = new Set<Socket>();
  const pending = new Map<number, string>();
  let connections = 0;

  const server = createServer((socket) => {
    const connection = (connections += 1);
    sockets.add(socket);
    pending.set(connection, '');
    socket.on('close', () => sockets.delete(socket));
    // A test that cuts connections off does so on purpose.
    socket.on('error', () => {});
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      const before = pending.get(connection) ?? '';
      let rest = before + text;
      if (!before.includes(HEAD_END) && rest.includes(HEAD_END)) {
        service.respondEarly?.(rest.slice(0, rest.indexOf(HEAD_END)), socket);
      }
      for (let found = cutRequest(rest); found !== null; found = cutRequest(rest)) {
        rest = found.rest;
        const request = { connection, head: found.head, body: found.body };
        service.requests.push(request);
        if (service.respondEarly === null) service.respond(request, socket);
      }
      pending.set(connection, rest);
    });
  });

  const service: RawService = {
    port: 0,
    requests: [],
    leftovers: () => [...pending.values()].filter((rest) => rest !== ''),
    respond: repeatCredential,
    respondEarly: null,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A TCP server has a port.
  service.port = (server.address() as AddressInfo).port;
  return service;
}

function cutRequest(text: string): { head: string; body: string; rest: string } | null {
  const end = text.indexOf(HEAD_END);
  if (end === -1) return null;
  const head = text.slice(0, end);
  const lengths = [...head.matchAll(/\r\ncontent-length: *(.*)/gi)].map(([, value]) => value);
  const length = Number(lengths[0] ?? 0);
  const body = text.slice(end + 4, end + 4 + length);
  if (body.length < length) return null;
  return { head, body, rest: text.slice(end + 4 + length) };
}

export function repeatCredential(request: Pick<RawRequest, 'head'>, socket: Socket): void {
  const credential = /\r\nauthorization: *(.*)/i.exec(request.head)?.[1] ?? 'none';
  const body = JSON.stringify({ credential });
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n` +
      (request.head.startsWith('HEAD ') ? '' : body),
  );
}
