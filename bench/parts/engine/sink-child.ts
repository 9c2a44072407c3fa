import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cidOfRecord } from '../../../server/src/network/identifiers.ts';
import { runAndNumber } from './post-text.ts';
import type { SinkOrder, SinkReport } from './sink.ts';

type Received = { keys: Map<number, string>; arrivals: Map<number, number>; duplicates: number };
type PutRecord = { repo: string; rkey: string; record: { text: string } };

const received = new Map<string, Received>();

/** Responds to every putRecord after a while, and remembers when which post arrived. */
function serve({ hosts, responseMs }: SinkOrder): Promise<string[]> {
  const urls = Array.from({ length: hosts }, () => {
    const server = createServer((request, response) => {
      void readBody(request).then((body) => {
        const reply = accept(JSON.parse(body));
        setTimeout(() => respond(response, reply), responseMs);
      });
    });
    return new Promise<string>((resolve) => {
      server.listen(0, '127.0.0.1', () => {
        // A server that listens on TCP has such an address.
        const { port } = server.address() as AddressInfo;
        resolve(`http://127.0.0.1:${port}`);
      });
    });
  });
  return Promise.all(urls);
}

function accept({ repo, rkey, record }: PutRecord): object {
  const at = Date.now();
  const { run, number } = runAndNumber(record.text);
  const entry = received.get(run) ?? { keys: new Map(), arrivals: new Map(), duplicates: 0 };
  received.set(run, entry);
  const cid = cidOfRecord(record);
  const result = { uri: `at://${repo}/app.bsky.feed.post/${rkey}`, cid };
  const known = entry.keys.get(number);
  // The same key again is a repetition, which changes nothing.
  if (known === rkey) return result;
  if (known === undefined) entry.arrivals.set(number, at);
  else entry.duplicates += 1;
  entry.keys.set(number, rkey);
  return { ...result, commit: { cid, rev: rkey } };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function respond(response: ServerResponse, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(200, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

function reportOf(run: string): SinkReport {
  const { arrivals, duplicates } = received.get(run) ?? { arrivals: new Map(), duplicates: 0 };
  return { arrivals, duplicates };
}

process.once('disconnect', () => process.exit(0));
process.once('message', (order: SinkOrder) => {
  process.on('message', (run: string) => process.send?.(reportOf(run)));
  void serve(order).then((urls) => process.send?.(urls));
});
