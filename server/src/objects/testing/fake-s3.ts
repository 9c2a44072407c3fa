import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifySigV4 } from './verify-sigv4.ts';
import type { KnownKey } from './verify-sigv4.ts';

/** One request goes wrong. `…-after` means that it had its effect all the same. */
export type Fault =
  | { kind: 'status'; status: number; code?: string }
  | { kind: 'redirect'; to: string }
  | { kind: 'drop' | 'drop-after' | 'hang' | 'drip' | 'huge' };

export type SeenRequest = { readonly method: string; readonly key: string };
export type StoredFake = { readonly bytes: Buffer; readonly headers: http.IncomingHttpHeaders };

export type FakeS3 = {
  readonly endpoint: string;
  readonly bucket: string;
  readonly credentials: KnownKey;
  readonly objects: Map<string, StoredFake>;
  readonly seen: SeenRequest[];
  /** Error codes of requests whose signature was refused. */
  readonly refused: string[];
  fault: (request: SeenRequest) => Fault | null;
  close(): Promise<void>;
};

export type FakeS3Options = { readonly sessionToken?: string | null };

/** An S3 server over real HTTP on this machine: strict about signatures, with faults on demand. */
export async function startFakeS3(options: FakeS3Options = {}): Promise<FakeS3> {
  const { sessionToken = null } = options;
  const drips = new Set<NodeJS.Timeout>();
  const server = http.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server on a TCP port always has an address of this form.
  const { port } = server.address() as AddressInfo;

  const fake: FakeS3 = {
    endpoint: `http://127.0.0.1:${port}`,
    bucket: 'test-bucket',
    credentials: {
      accessKeyId: 'AKIDTEST',
      secretAccessKey: 'secret/with+signs',
      sessionToken,
      region: 'eu-test-1',
    },
    objects: new Map(),
    seen: [],
    refused: [],
    fault: () => null,
    close: () =>
      new Promise((resolve, reject) => {
        for (const timer of drips) clearInterval(timer);
        server.closeAllConnections();
        server.close((error) => (error === undefined ? resolve() : reject(error)));
      }),
  };

  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => respond(request, response, Buffer.concat(chunks)));
  });

  function respond(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    body: Buffer,
  ): void {
    const [path = ''] = (request.url ?? '').split('?', 1);
    const [, bucket = '', ...parts] = path.split('/').map(decodeURIComponent);
    const seen = { method: request.method ?? '', key: parts.join('/') };
    fake.seen.push(seen);
    const refusal = verifySigV4(request, body, fake.credentials);
    if (refusal !== null) {
      fake.refused.push(refusal);
      return sendError(response, 403, refusal);
    }
    const fault = fake.fault(seen);
    if (fault !== null) return fail(request, response, body, seen, fault);
    if (bucket !== fake.bucket) return sendError(response, 404, 'NoSuchBucket');
    serve(request, response, body, seen);
  }

  function serve(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    body: Buffer,
    { method, key }: SeenRequest,
  ): void {
    if (method === 'GET') {
      const found = fake.objects.get(key);
      if (found === undefined) return sendError(response, 404, 'NoSuchKey');
      response.writeHead(200, { 'content-length': found.bytes.length }).end(found.bytes);
      return;
    }
    if (method === 'DELETE') {
      fake.objects.delete(key);
      response.writeHead(204).end();
      return;
    }
    if (method !== 'PUT') return sendError(response, 405, 'MethodNotAllowed');
    fake.objects.set(key, { bytes: body, headers: request.headers });
    response.writeHead(200, { etag: '"x"' }).end();
  }

  function fail(
    request: http.IncomingMessage,
    response: http.ServerResponse,
    body: Buffer,
    seen: SeenRequest,
    fault: Fault,
  ): void {
    switch (fault.kind) {
      case 'status':
        return sendError(response, fault.status, fault.code ?? 'Fault');
      case 'redirect':
        response.writeHead(307, { location: fault.to }).end();
        return;
      case 'drop':
        request.socket.destroy();
        return;
      case 'drop-after':
        if (seen.method === 'PUT')
          fake.objects.set(seen.key, { bytes: body, headers: request.headers });
        request.socket.destroy();
        return;
      case 'hang':
        return;
      case 'huge':
        response.writeHead(200);
        pour(response);
        return;
      case 'drip': {
        response.writeHead(200, { 'content-length': 1_000_000 });
        const timer = setInterval(() => response.write('x'), 5);
        drips.add(timer);
        response.once('close', () => clearInterval(timer));
      }
    }
  }

  return fake;
}

function sendError(response: http.ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>No</Message></Error>`);
}

/** Never ends by itself: a client that reads without a bound runs out of memory. */
function pour(response: http.ServerResponse): void {
  const block = Buffer.alloc(1024 * 1024, 'x');
  const more = (): void => {
    while (!response.destroyed && response.write(block));
  };
  response.on('drain', more);
  more();
}
