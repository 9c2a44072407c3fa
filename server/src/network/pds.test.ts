import { afterEach, describe, expect, test } from 'vitest';
import type { Account, NetworkResponse, PostRecord } from './network.ts';
import { retryTime } from './pds.ts';
import { createHeaderNetwork } from './testing/header-network.ts';
import type { HeaderNetworkOptions } from './testing/header-network.ts';
import { httpResponse, startScriptedHost } from './testing/scripted-host.ts';
import type { Script } from './testing/scripted-host.ts';

const unclear = (reason: string, status: number | null = null) => ({
  kind: 'no_response',
  reason,
  status,
});

const json = (status: number, body: object, headers?: string[]) =>
  httpResponse(status, JSON.stringify(body), headers);

describe('pds', () => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
  });

  const DID = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa';
  const record: PostRecord = {
    $type: 'app.bsky.feed.post',
    text: 'Grüße 🌍',
    createdAt: '2026-11-16T12:00:00.000Z',
  };
  const write = { rkey: '3mzxw37k5x223', cid: 'bafyreia', record };
  const accountOn = (host: string): Account => ({ userId: 'u', did: DID, host });

  function networkWith(options: Partial<HeaderNetworkOptions> = {}) {
    const network = createHeaderNetwork({
      authorize: async () => ({ authorization: 'Bearer token' }),
      ...options,
    });
    closers.push(() => network.close());
    return network;
  }

  async function hostWith(script: Script) {
    const host = await startScriptedHost(script);
    closers.push(() => host.close());
    return host;
  }

  /** The result of one putRecord against a host that follows the script. */
  async function put(
    script: Script,
    options?: Partial<HeaderNetworkOptions>,
  ): Promise<NetworkResponse> {
    const host = await hostWith(script);
    return networkWith(options).putRecord(accountOn(host.url), write);
  }

  const sentTo = async (send: (host: string) => Promise<NetworkResponse>) => {
    const host = await hostWith((socket) => socket.write(json(200, { uri: 'at://…' })));
    expect(await send(host.url)).toMatchObject({ kind: 'response', status: 200 });
    const [head = '', body = ''] = host.requests[0]?.split('\r\n\r\n') ?? [];
    return { head, body: Buffer.from(body, 'latin1').toString('utf8') };
  };

  describe('requests', () => {
    test('putRecord demands that nothing else is stored under the key', async () => {
      const { head, body } = await sentTo((host) =>
        networkWith().putRecord(accountOn(host), write),
      );
      expect(head).toMatch(/^POST \/xrpc\/com\.atproto\.repo\.putRecord HTTP/);
      expect(head).toMatch(/^authorization: Bearer token\r?$/im);
      expect(JSON.parse(body)).toEqual({
        repo: DID,
        collection: 'app.bsky.feed.post',
        rkey: write.rkey,
        validate: true,
        record,
        swapRecord: null,
      });
    });

    test('applyWrites creates all records in one request', async () => {
      const { head, body } = await sentTo((host) =>
        networkWith().applyWrites(accountOn(host), [write, { ...write, rkey: '3mzxw37k5x224' }]),
      );
      expect(head).toMatch(/^POST \/xrpc\/com\.atproto\.repo\.applyWrites HTTP/);
      const create = { $type: 'com.atproto.repo.applyWrites#create', value: record };
      expect(JSON.parse(body)).toMatchObject({
        repo: DID,
        validate: true,
        writes: [
          { ...create, rkey: '3mzxw37k5x223' },
          { ...create, rkey: '3mzxw37k5x224' },
        ],
      });
    });

    test('getRecord carries no credentials', async () => {
      const { head } = await sentTo((host) => networkWith().getRecord(host, DID, write.rkey));
      expect(head).toMatch(/^GET \/xrpc\/com\.atproto\.repo\.getRecord\?repo=did%3Aplc%3A/);
      expect(head).not.toMatch(/authorization/i);
    });

    test('uploadBlob sends the bytes under their type', async () => {
      const bytes = new TextEncoder().encode('picture');
      const { head, body } = await sentTo((host) =>
        networkWith().uploadBlob(accountOn(host), bytes, 'image/png'),
      );
      expect(head).toMatch(/^content-type: image\/png\r?$/im);
      expect(body).toBe('picture');
    });
  });

  describe('responses', () => {
    const response = { kind: 'response', error: null, message: null, retryAt: null };
    const headOf200 = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n';
    type Row = {
      name: string;
      script: Script;
      expected: object;
      options?: Partial<HeaderNetworkOptions>;
    };

    test.each<Row>([
      {
        name: 'success',
        script: (socket) => socket.write(json(200, { cid: 'bafy', error: 'ignored' })),
        expected: { ...response, status: 200, body: { cid: 'bafy', error: 'ignored' } },
      },
      {
        name: 'a refusal of the protocol',
        script: (socket) =>
          socket.write(json(400, { error: 'InvalidSwap', message: 'Record was' })),
        expected: { ...response, status: 400, error: 'InvalidSwap', message: 'Record was' },
      },
      {
        name: 'a refusal of a proxy in HTML',
        script: (socket) => socket.write(httpResponse(502, '<html>Bad gateway</html>')),
        expected: { ...response, status: 502, body: null },
      },
      {
        name: 'a redirect, which is not followed',
        script: (socket) => socket.write(json(307, {}, ['location: http://127.0.0.1:1/stolen'])),
        expected: { ...response, status: 307 },
      },
      {
        name: 'HTML where JSON is due',
        script: (socket) => socket.write(httpResponse(200, '<html>Welcome</html>')),
        expected: unclear('unreadable', 200),
      },
      {
        name: 'JSON that is no object',
        script: (socket) => socket.write(httpResponse(200, '[1]')),
        expected: unclear('unreadable', 200),
      },
      {
        name: '204 without a body',
        script: (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'),
        expected: unclear('unreadable', 204),
      },
      {
        name: 'bytes that are not HTTP',
        script: (socket) => socket.write('\x00\x01 garbage \xff\r\n\r\n'),
        expected: unclear('unreadable'),
      },
      {
        name: '10 MB announced',
        script: (socket) => {
          socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000\r\n\r\n');
          socket.write('x'.repeat(10_000_000));
        },
        expected: unclear('too_large', 200),
      },
      {
        name: '10 MB without a length',
        script: (socket) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(10_000_000)}`),
        expected: unclear('too_large', 200),
      },
      {
        name: 'a connection closed without a byte',
        script: (socket) => socket.end(),
        expected: unclear('cut'),
      },
      {
        name: 'a connection reset without a byte',
        script: (socket) => socket.resetAndDestroy(),
        expected: unclear('cut'),
      },
      {
        name: 'half a response',
        script: (socket) => socket.end(`${headOf200}{"uri":`),
        expected: unclear('cut', 200),
      },
      {
        name: 'no response',
        script: () => {},
        expected: unclear('timeout'),
        options: { timeoutMs: 150 },
      },
      {
        name: 'a response that never ends',
        script: (socket) => socket.write(`${headOf200}{"uri":`),
        expected: unclear('timeout', 200),
        // Long enough for the head to arrive on a busy machine.
        options: { timeoutMs: 3_000 },
      },
    ])('$name', async ({ script, expected, options }) => {
      expect(await put(script, options)).toMatchObject(expected);
    });

    test('a host without a listener, without a name or without trust is unreachable', async () => {
      const closed = await startScriptedHost(() => {});
      await closed.close();
      const plain = await hostWith((socket) => socket.end('not TLS'));
      const hosts = [
        closed.url,
        plain.url.replace('http:', 'https:'),
        'https://no-such-host.invalid',
        'ftp://127.0.0.1',
        'not a host',
      ];
      for (const host of hosts) {
        const result = await networkWith().putRecord(accountOn(host), write);
        expect({ host, result }).toEqual({ host, result: unclear('unreachable') });
      }
    });

    test('only public addresses over TLS are called, unless a test allows loopback', async () => {
      const host = await hostWith((socket) => socket.write(json(200, {})));
      const network = networkWith({ addresses: 'public' });
      for (const url of [host.url, host.url.replace('http:', 'https:'), 'https://localhost']) {
        const result = await network.putRecord(accountOn(url), write);
        expect({ url, result }).toEqual({ url, result: unclear('unreachable') });
      }
      expect(host.requests).toEqual([]);
    });

    test('one host that sends garbage does not disturb the next request', async () => {
      let calls = 0;
      const host = await hostWith((socket) => {
        calls += 1;
        socket.write(calls === 1 ? 'garbage\r\n\r\n' : json(200, { calls }));
      });
      const network = networkWith();
      await network.putRecord(accountOn(host.url), write);
      const second = await network.putRecord(accountOn(host.url), write);
      expect(second).toMatchObject({ kind: 'response', body: { calls: 2 } });
    });
  });
});

const NOW = Date.parse('2026-11-16T12:00:00.000Z');
const inSeconds = (seconds: number) => NOW / 1_000 + seconds;

test.each([
  { status: 429, headers: { 'ratelimit-reset': String(inSeconds(90)) }, seconds: 90 },
  { status: 429, headers: { 'retry-after': '30' }, seconds: 30 },
  { status: 503, headers: { 'retry-after': 'Mon, 16 Nov 2026 12:01:00 GMT' }, seconds: 60 },
  {
    status: 429,
    headers: { 'ratelimit-reset': String(inSeconds(90)), 'retry-after': '30' },
    seconds: 90,
  },
  // Every response of a PDS names the reset of its limits; only a refusal by them means it.
  { status: 400, headers: { 'ratelimit-reset': String(inSeconds(90)) }, seconds: null },
  { status: 429, headers: {}, seconds: null },
  { status: 429, headers: { 'ratelimit-reset': 'soon', 'retry-after': '-5' }, seconds: null },
  { status: 429, headers: { 'ratelimit-reset': String(inSeconds(-5)) }, seconds: null },
  { status: 429, headers: { 'retry-after': '9'.repeat(400) }, seconds: 86_400 },
])('$status with $headers is repeated after $seconds s', ({ status, headers, seconds }) => {
  const expected = seconds === null ? null : new Date(NOW + seconds * 1_000);
  expect(retryTime(status, headers, NOW)).toEqual(expected);
});
