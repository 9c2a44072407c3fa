import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { ObjectStoreError } from './errors.ts';

export type HttpRequest = {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly signal: AbortSignal;
};
export type HttpAnswer = { readonly status: number; readonly body: Buffer };
export type HttpExchange = (request: HttpRequest) => Promise<HttpAnswer>;

export type HttpExchangeSettings = {
  readonly lookup: LookupFunction;
  readonly connectTimeoutMs: number;
  readonly maxAnswerBytes: number;
};

/**
 * One request, one bounded answer. Node's own client rather than fetch: it never follows a
 * redirect, lets us check the address it connects to, and has a time limit on connecting.
 */
export function createHttpExchange(settings: HttpExchangeSettings): HttpExchange {
  const plain = new http.Agent({ keepAlive: true });
  const secure = new https.Agent({ keepAlive: true });
  return async ({ method, url, headers, body, signal }) => {
    const isSecure = url.protocol === 'https:';
    const options = { method, headers, signal, lookup: settings.lookup };
    const request = isSecure
      ? https.request(url, { ...options, agent: secure })
      : http.request(url, { ...options, agent: plain });
    limitConnecting(request, isSecure ? 'secureConnect' : 'connect', settings.connectTimeoutMs);
    const response = await answerTo(request, body);
    return {
      status: response.statusCode ?? 0,
      body: await readBounded(response, settings.maxAnswerBytes),
    };
  };
}

function limitConnecting(request: http.ClientRequest, connected: string, limitMs: number): void {
  const timer = setTimeout(() => {
    request.destroy(new ObjectStoreError(`No connection within ${limitMs} ms`));
  }, limitMs);
  const stop = (): void => clearTimeout(timer);
  request.once('close', stop);
  request.once('socket', (socket) => {
    if (request.reusedSocket) stop();
    else socket.once(connected, stop);
  });
}

function answerTo(
  request: http.ClientRequest,
  body: Uint8Array | null,
): Promise<http.IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.once('response', resolve);
    // Stays for the whole life of the request: an error after the answer began has no other ear.
    request.on('error', reject);
    request.end(body ?? undefined);
  });
}

async function readBounded(response: http.IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop by a throw destroys the response and its connection.
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw new ObjectStoreError(`An answer of more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
