import type { lookup } from 'node:dns';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buildConnector } from 'undici';
import type { OutsideNetwork } from '../../../http/guarded-fetch.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from './certificate.ts';

export const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A host of pictures on this machine, with and without TLS, that remembers what it was asked. */
export type PictureHost = {
  requests: IncomingMessage[];
  answerWith(handler: Handler): void;
  /** Every name of `names` leads where it says, every other one under example.test to this host. */
  network(names?: Record<string, string>, ca?: string): OutsideNetwork;
  close(): Promise<void>;
};

export const sendPng: Handler = (_, response) => {
  response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
};

export async function startPictureHost(): Promise<PictureHost> {
  const requests: IncomingMessage[] = [];
  let handle = sendPng;
  const receive: Handler = (request, response) => {
    requests.push(request);
    handle(request, response);
  };
  const servers = [
    createServer(receive),
    createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, receive),
  ];
  const ports: string[] = [];
  for (const server of servers) {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // listening on TCP, so never a string
    ports.push(String(port));
  }
  const [plainPort = '', tlsPort = ''] = ports;
  return {
    requests,
    answerWith: (handler) => (handle = handler),
    network: (names = {}, ca = CERTIFICATE) => ({
      addresses: 'loopback',
      resolve: resolver((name) => names[name] ?? (isOurs(name) ? '127.0.0.1' : null)),
      connector: connectorTo({ 'http:': plainPort, 'https:': tlsPort }, ca),
    }),
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

/** Trusts the certificate, and finds behind ports 80 and 443 of any name those that the host could get. */
function connectorTo(ports: Record<string, string>, ca: string): typeof buildConnector {
  return (options) => {
    const connect = buildConnector({ ...options, ca });
    return (target, callback) =>
      connect({ ...target, port: ports[target.protocol] ?? '' }, callback);
  };
}

const isOurs = (name: string) => name.endsWith('.example.test');

/** A name server of the test; null is a name that does not exist. */
export function resolver(addressOf: (name: string) => string | null): typeof lookup {
  const resolve = (
    name: string,
    _options: unknown,
    callback: (error: Error | null, found: { address: string; family: number }[]) => void,
  ): void => {
    const address = addressOf(name);
    if (address === null) return callback(new Error(`${name} does not exist`), []);
    callback(null, [{ address, family: address.includes(':') ? 6 : 4 }]);
  };
  // Only the one form of the overloaded function that the guard calls.
  return resolve as unknown as typeof lookup;
}
