import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FRAMING_ATTACKS } from './testing/framing-attacks.ts';
import { startRawProxy } from './testing/raw-proxy.ts';
import type { RawProxy } from './testing/raw-proxy.ts';
import type { RawRequest, RawService } from './testing/raw-service.ts';

const BYSTANDER = 'GET /base/api/admin/auth/me HTTP/1.1';
/** All that may ever be sent to the service behind. */
const ALLOWED_HEADERS = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
]);

let proxy: RawProxy;
let service: RawService;
beforeEach(async () => {
  proxy = await startRawProxy();
  ({ service } = proxy);
});
afterEach(() => proxy.close());

const requestLine = ({ head }: RawRequest) => head.split('\r\n', 1)[0];
const tokenOf = ({ head }: RawRequest) => /\r\nauthorization: Bearer (\S+)/.exec(head)?.[1];
const headerNames = ({ head }: RawRequest) =>
  head
    .split('\r\n')
    .slice(1)
    .map((header) => header.slice(0, header.indexOf(':')).toLowerCase());

describe('a request upstream is framed by its length alone', () => {
  test('in at least sixty ways to say otherwise', () => {
    expect(FRAMING_ATTACKS.length).toBeGreaterThanOrEqual(60);
    expect(new Set(FRAMING_ATTACKS.map(({ name }) => name)).size).toBe(FRAMING_ATTACKS.length);
  });

  test.each(FRAMING_ATTACKS)('$name', async ({ bytes, passes }) => {
    expect(await proxy.bystander('first')).toContain('{"credential":"Bearer first"}');
    const attacker = proxy.client(bytes);
    const expected = passes.map((line) => line.replace(' /', ' /base/'));
    await expect
      .poll(() => service.requests.filter((sent) => tokenOf(sent) === 'attacker').length)
      .toBe(passes.length);
    expect(await proxy.bystander('second')).toContain('{"credential":"Bearer second"}');
    expect(await proxy.bystander('third')).toContain('{"credential":"Bearer third"}');

    const lines = service.requests.map(requestLine);
    const byAttacker = service.requests.filter((sent) => tokenOf(sent) === 'attacker');
    expect(byAttacker.map(requestLine)).toHaveLength(expected.length);
    expect(byAttacker.map(requestLine)).toEqual(expect.arrayContaining(expected));
    expect(lines.filter((line) => line === BYSTANDER).length).toBeGreaterThanOrEqual(3);
    expect(lines.filter((line) => !line?.includes(' /base/api/admin/'))).toEqual([]);
    expect(service.leftovers()).toEqual([]);
    for (const sent of service.requests) {
      const names = headerNames(sent);
      expect(names.filter((name) => !ALLOWED_HEADERS.has(name))).toEqual([]);
      expect(new Set(names).size).toBe(names.length);
    }
    expect(attacker.received()).not.toMatch(/Bearer (first|second|third)/);
  });
});
