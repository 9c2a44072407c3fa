import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { DEFAULT_PAGE_CONFIG } from '@meridian/contract';
import type { Endpoint, PageConfig } from '@meridian/contract';
import { pageHeaders } from '../../server/src/http/guards.ts';
import { configuredPage } from '../../server/src/http/pages.ts';
import { matchEndpoint } from './calls.ts';
import type { Call } from './calls.ts';

export type { Call };

const DIST = path.resolve(import.meta.dirname, '../../console/dist');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

type ScriptedResponse = {
  status?: number;
  body?: unknown;
  /** Sent instead of JSON. */
  text?: string;
  /** The connection is cut without a response. */
  cut?: boolean;
  /** Held back until the gate is opened. */
  until?: Promise<void>;
};
type Script = ScriptedResponse | ((call: Call, params: Record<string, string>) => ScriptedResponse);

/**
 * A server by another vendor: it knows the specification's calls and nothing more, responds
 * with what a test tells it to, and records every request.
 */
export class StandIn {
  readonly calls: Call[] = [];
  /** Requests below /api that are not in the specification's table. */
  readonly strays: string[] = [];
  readonly url: string;
  /** Whether its pages come with the policy of the real server: a violation is a complaint. */
  hasPolicy = true;
  /** What its pages tell the console; by itself such a server tells nothing. */
  pageConfig: PageConfig | null = null;
  readonly #scripts = new Map<string, Script>();
  readonly #close: () => Promise<void>;

  private constructor(url: string, close: () => Promise<void>) {
    this.url = url;
    this.#close = close;
  }

  static async start(): Promise<StandIn> {
    let standIn: StandIn | null = null;
    const server = createServer((request, response) => {
      const handling = standIn ? standIn.#handle(request, response) : Promise.resolve();
      handling.catch((error: unknown) =>
        response.destroy(error instanceof Error ? error : undefined),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo; // listening on TCP, so never a string
    standIn = new StandIn(`http://127.0.0.1:${port}`, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
    return standIn;
  }

  close(): Promise<void> {
    return this.#close();
  }

  /** The response to this call from now on. */
  on(endpoint: Pick<Endpoint, 'name'>, script: Script): this {
    this.#scripts.set(endpoint.name, script);
    return this;
  }

  /** The calls made to one endpoint, in order. */
  callsTo(endpoint: Pick<Endpoint, 'name'>): Call[] {
    return this.calls.filter((call) => call.endpoint === endpoint.name);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    if (!url.pathname.startsWith('/api/')) return serveConsole(url.pathname, response, this);

    const method = request.method ?? 'GET';
    const match = matchEndpoint(method, url.pathname);
    if (!match) {
      this.strays.push(`${method} ${url.pathname}`);
      return send(response, { status: 404, body: { message: 'Not found' } });
    }
    const text = await bodyOf(request);
    const call: Call = {
      endpoint: match.endpoint.name,
      method,
      url: url.pathname + url.search,
      body: text === '' ? null : JSON.parse(text),
      token: request.headers.authorization?.replace(/^Bearer /, '') ?? null,
    };
    this.calls.push(call);
    const script = this.#scripts.get(match.endpoint.name);
    const scripted = typeof script === 'function' ? script(call, match.params) : script;
    await scripted?.until;
    return send(response, scripted ?? { status: 404, body: { message: 'Not found' } });
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, scripted: ScriptedResponse): void {
  if (scripted.cut) {
    response.destroy();
    return;
  }
  const { status = 200, body = {}, text } = scripted;
  response.writeHead(status, {
    'content-type':
      text === undefined ? 'application/json; charset=utf-8' : 'text/html; charset=utf-8',
  });
  response.end(text ?? JSON.stringify(body));
}

function withConfig(plain: Buffer, config: PageConfig): Buffer {
  return Buffer.from(configuredPage(plain.toString('utf8'), config));
}

async function serveConsole(
  pathname: string,
  response: ServerResponse,
  { hasPolicy, pageConfig }: StandIn,
): Promise<void> {
  const extension = path.extname(pathname);
  const file = path.join(DIST, extension ? path.normalize(pathname) : 'index.html');
  try {
    const isPage = path.extname(file) === '.html';
    const { imageSources: images } = pageConfig ?? DEFAULT_PAGE_CONFIG;
    const built = await readFile(file);
    const bytes = isPage && pageConfig !== null ? withConfig(built, pageConfig) : built;
    response.writeHead(200, {
      ...(hasPolicy && isPage && pageHeaders({ images })),
      'content-type': TYPES[path.extname(file)] ?? 'application/octet-stream',
    });
    response.end(bytes);
  } catch {
    // Not every picture a test names exists; a browser copes with a 404.
    response.writeHead(404).end();
  }
}
