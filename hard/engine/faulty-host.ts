import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { KILL_HEADER } from './kill-points.ts';

const FAULTS = ['refused before writing', 'error after writing', 'cut after writing'] as const;
/** One request in five goes wrong. */
const FAULT_EVERY = 5;

export type Upstream = {
  url: string;
  /** The headers of the account's session. */
  authorize(account: { did: string }): Promise<Record<string, string>>;
};

export type FaultyHost = {
  url: string;
  /** When each text was first passed on, in milliseconds. */
  firstSentAt: ReadonlyMap<string, number>;
  faults: () => number;
  close(): Promise<void>;
};

type Write = { repo: string; record?: { text: string }; writes?: { value: { text: string } }[] };

/** Stands between workers and a PDS: every fifth request fails, and some cost the worker its life. */
export async function startFaultyHost(upstream: Upstream): Promise<FaultyHost> {
  const firstSentAt = new Map<string, number>();
  let requests = 0;
  let faults = 0;

  function nextFault(): (typeof FAULTS)[number] | null {
    requests += 1;
    if (requests % FAULT_EVERY > 0) return null;
    faults += 1;
    return FAULTS[faults % FAULTS.length] ?? null;
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    const fault = nextFault();
    if (fault === 'refused before writing') return respond(response, 500, '{}');
    const passedOn = await passOn(request, body);
    const status = passedOn.status;
    const received = await passedOn.text();
    const victim = request.headers[KILL_HEADER];
    if (victim !== undefined) {
      process.kill(Number(victim), 'SIGKILL');
      response.destroy();
    } else if (fault === 'cut after writing') response.destroy();
    else if (fault === 'error after writing') respond(response, 502, '{}');
    else respond(response, status, received);
  }

  async function passOn({ method = '', url = '' }: IncomingMessage, body: string) {
    if (method === 'GET') return fetch(upstream.url + url);
    // Only the worker writes to it.
    const { repo, record, writes = [] } = JSON.parse(body) as Write;
    for (const { text: sent } of [record, ...writes.map(({ value }) => value)].filter(isGiven)) {
      if (!firstSentAt.has(sent)) firstSentAt.set(sent, Date.now());
    }
    const session = await upstream.authorize({ did: repo });
    const headers = { 'content-type': 'application/json', ...session };
    return fetch(upstream.url + url, { method, headers, body });
  }

  const server = createServer((request, response) => {
    // A worker that died in the middle of a request or response.
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Listens on TCP.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    firstSentAt,
    faults: () => faults,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function respond(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body);
}

function isGiven<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}
