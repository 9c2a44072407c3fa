import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** The host runs it once a whole request has arrived. */
export type Script = (socket: Socket, request: string) => void;

/** A host below HTTP: it sends exactly the bytes of its script, or none. */
export async function startScriptedHost(script: Script) {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let received = '';
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => {});
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
      if (!isWhole(received)) return;
      requests.push(received);
      script(socket, received);
      received = '';
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo; // listening on TCP, so never a string
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const length = Number(/^content-length: (\d+)/im.exec(text)?.[1] ?? 0);
  return text.length >= end + 4 + length;
}

/** The bytes of an HTTP response. */
export function httpResponse(status: number, body: string, headers: string[] = []): string {
  const length = `content-length: ${Buffer.byteLength(body)}`;
  return [`HTTP/1.1 ${status} Scripted`, length, ...headers, '', body].join('\r\n');
}
