import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startRawProxy } from './testing/raw-proxy.ts';
import type { RawProxy } from './testing/raw-proxy.ts';
import { repeatCredential } from './testing/raw-service.ts';

/** An unsolicited response, waiting for the next request on the connection. */
const POISON = 'HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\npoisoned';

/** What the service behind writes for the first client, and what may come of it there. */
const RESPONSES: { name: string; bytes: string; method?: string; outcome: RegExp }[] = [
  {
    name: 'a second response',
    bytes: `HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok${POISON}`,
    outcome: /^HTTP\/1\.1 200 .*ok$/s,
  },
  {
    name: 'more than its length',
    bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokpoisoned',
    outcome: /^HTTP\/1\.1 200 .*ok$/s,
  },
  {
    name: 'a body for HEAD',
    method: 'HEAD',
    bytes: POISON,
    outcome: /^HTTP\/1\.1 200 .*\r\n\r\n$/s,
  },
  {
    name: 'a body for 204',
    bytes: 'HTTP/1.1 204 No Content\r\nContent-Length: 8\r\n\r\npoisoned',
    outcome: /^HTTP\/1\.1 204 (?!.*poisoned)/s,
  },
  {
    name: 'a body for 304',
    bytes: 'HTTP/1.1 304 Not Modified\r\n\r\npoisoned',
    outcome: /^HTTP\/1\.1 304 (?!.*poisoned)/s,
  },
  {
    name: 'early hints',
    bytes:
      'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    outcome: /^HTTP\/1\.1 200 .*ok$/s,
  },
  {
    name: 'a permission to go on that was not asked for',
    bytes: `HTTP/1.1 100 Continue\r\n\r\n${POISON}`,
    outcome: /^HTTP\/1\.1 502 /,
  },
  {
    name: 'an upgrade that was not asked for',
    bytes: `HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n${POISON}`,
    outcome: /^HTTP\/1\.1 502 /,
  },
  {
    name: 'a length and chunks',
    bytes:
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    outcome: /^HTTP\/1\.1 (?:502|200) (?!.*poisoned)/s,
  },
  {
    name: 'two lengths',
    bytes: 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 10\r\n\r\nokpoisoned',
    outcome: /^HTTP\/1\.1 502 /,
  },
  {
    name: 'a status that is none',
    bytes: 'HTTP/1.1 999 Odd\r\nContent-Length: 2\r\n\r\nok',
    outcome: /^HTTP\/1\.1 502 /,
  },
  { name: 'no HTTP at all', bytes: 'SSH-2.0-service\r\n', outcome: /^HTTP\/1\.1 502 / },
];

let proxy: RawProxy;
beforeEach(async () => {
  proxy = await startRawProxy();
});
afterEach(() => proxy.close());

const request = (method: string, body = '') =>
  [
    `${method} /api/admin/users/7 HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer first',
    'Connection: close',
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');

describe('the responses of one client', () => {
  test('is never seen by another on the same upstream connection', async () => {
    for (let round = 0; round < 20; round += 1) {
      const token = `person-${round}`;
      expect(await proxy.bystander(token)).toContain(`{"credential":"Bearer ${token}"}`);
    }
    const connections = proxy.service.requests.map(({ connection }) => connection);
    expect(new Set(connections)).toEqual(new Set([1]));
  });

  test.each(RESPONSES)('holds nothing back for the next: $name', async (attack) => {
    const { service } = proxy;
    expect(await proxy.bystander('before')).toContain('Bearer before');
    service.respond = (_, socket) => void socket.write(attack.bytes);
    const first = proxy.client(request(attack.method ?? 'GET'));
    await first.until(/(?!)/);
    service.respond = repeatCredential;
    for (const token of ['second', 'third']) {
      const seen = await proxy.bystander(token);
      expect(seen).toContain(`{"credential":"Bearer ${token}"}`);
      expect(seen).not.toContain('poisoned');
    }
    expect(first.received()).toMatch(attack.outcome);
  });

  test('before its body was read leaves nothing of the body to the next', async () => {
    const { service } = proxy;
    service.respondEarly = (head, socket) => repeatCredential({ head }, socket);
    const body = 'GET /internal HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(1500);
    const first = proxy.client(request('POST', body));
    await first.until(/(?!)/);
    expect(await proxy.bystander('second')).toContain('{"credential":"Bearer second"}');
    expect(first.received()).toContain('{"credential":"Bearer first"}');
    const outside = service.requests.filter(({ head }) => !head.includes(' /base/api/admin/'));
    expect(outside).toEqual([]);
  });

  test('never looks complete when the service broke off', async () => {
    proxy.service.respond = (_, socket) =>
      void socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n');
    const first = proxy.client(request('GET'));
    await first.until(/(?!)/);
    expect(first.received()).toContain('half');
    expect(first.received()).not.toContain('\r\n0\r\n\r\n');
  });
});
