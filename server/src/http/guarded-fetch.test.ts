import type { lookup } from 'node:dns';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parseS3Location } from '../objects/s3-store.ts';
import { classifyAddress, guardedLookup, mayConnect } from './guarded-fetch.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

const ADDRESSES = {
  public: words(`
    52.218.0.1 8.8.8.8 1.1.1.1 172.15.255.255 172.32.0.1 192.167.1.1 100.63.255.255
    100.128.0.1 169.253.1.1 223.255.255.255 ::ffff:8.8.8.8 2600:1f13::1
    2a00:1450:4001:81b::200e 64:ff9b::8.8.8.8
  `),
  loopback: words(`
    127.0.0.1 127.255.255.254 127.1.2.3 ::1 0:0:0:0:0:0:0:1
    0000:0000:0000:0000:0000:0000:0000:0001 ::ffff:127.0.0.1 ::FFFF:127.0.0.1
    ::ffff:7f00:1 0:0:0:0:0:ffff:7f00:0001 ::ffff:7f01:203 64:ff9b::127.0.0.1
  `),
  private: words(`
    10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 100.64.0.1
    100.127.255.255 ::ffff:10.0.0.1 ::ffff:c0a8:1 64:ff9b::10.0.0.1 fc00::1
    fd12:3456:789a::1
  `),
  refused: words(`
    0.0.0.0 0.1.2.3 169.254.169.254 169.254.0.1 ::ffff:169.254.169.254
    ::ffff:a9fe:a9fe 64:ff9b::169.254.169.254 100.100.100.200 168.63.129.16
    192.0.0.192 192.0.2.1 192.88.99.1 198.18.0.1 198.19.255.255 198.51.100.1
    203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 :: ::127.0.0.1
    ::7f00:1 ::10.0.0.1 ::a9fe:a9fe ::ffff:0:127.0.0.1 fe80::1 fe80::1%eth0 ::1%lo
    fec0::1 ff02::1 fd00:ec2::254 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2
    2001:db8::1 2002:7f00:1::1 2002:a9fe:a9fe::1 3fff::1 64:ff9b:1::1 64:ff9b::
    100::1 localhost 127.1 0x7f000001 2130706433 0177.0.0.1 127.0.0.1.
  `),
};

const KINDS = ['public', 'loopback', 'private', 'refused'] as const;
const ROWS = KINDS.flatMap((kind) => ADDRESSES[kind].map((address) => [address, kind] as const));

describe('an address', () => {
  it.each(ROWS)('%j is %s', (address, kind) => {
    expect(classifyAddress(address)).toBe(kind);
    expect(mayConnect('public', address)).toBe(kind === 'public');
    expect(mayConnect('loopback', address)).toBe(kind === 'loopback');
    expect(mayConnect('public-or-private', address)).toBe(kind === 'public' || kind === 'private');
  });
});

// In a URL an address has more spellings still; the parser brings them to one.
const HOSTS = words(`
    127.0.0.1 127.1 0x7f.1 0x7f000001 2130706433 0177.0.0.1 127.0.0.1. ①②⑦.⓪.⓪.①
    [::1] [0:0:0:0:0:0:0:1] [::ffff:127.0.0.1] [::ffff:7f00:1]
  `);
const METADATA = words(`
    169.254.169.254 0xa9fea9fe 2852039166 0251.0376.0251.0376 169.254.43518
    [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::a9fe:a9fe] [fd00:ec2::254]
    [fe80::1] 0.0.0.0 0 [::] [64:ff9b::a9fe:a9fe] 100.100.100.200
  `);

function locationOf(endpoint: string, allowPrivateNetwork = false) {
  return parseS3Location({ url: 's3://bucket', endpoint, region: null, allowPrivateNetwork });
}

describe('the endpoint of an object store', () => {
  it.each(HOSTS)('knows https://%s as this machine', (host) => {
    expect(locationOf(`http://${host}:9000`).addresses).toBe('loopback');
  });

  it.each(METADATA)('refuses https://%s even where private networks are allowed', (host) => {
    expect(() => locationOf(`https://${host}`, true)).toThrow('not allowed');
  });

  it.each(['10.0.0.1', '192.168.1.1', '0xa000001', '[fd12::1]', '[::ffff:10.0.0.1]'])(
    'takes https://%s only where private networks are allowed',
    (host) => {
      expect(() => locationOf(`https://${host}`)).toThrow('OBJECT_STORE_ALLOW_PRIVATE');
      expect(locationOf(`https://${host}`, true).addresses).toBe('public-or-private');
    },
  );
});

/** A name server of our own, so that a name can be bound to any address. */
function resolverOf(...addresses: string[]): typeof lookup {
  const resolve = (
    _name: string,
    _options: unknown,
    callback: (error: Error | null, found: { address: string; family: number }[]) => void,
  ): void =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );
  // Only the one form of the overloaded function that the guard calls.
  return resolve as unknown as typeof lookup;
}

const find = (policy: 'public' | 'loopback', resolve?: typeof lookup) =>
  promisify(guardedLookup(policy, resolve));

describe('the guarded look-up', () => {
  it('returns the addresses it has checked', async () => {
    await expect(find('public', resolverOf('8.8.8.8'))('s3.example', { all: false })).resolves.toBe(
      '8.8.8.8',
    );
  });

  it('refuses all when one of them is bad', async () => {
    const resolve = resolverOf('8.8.8.8', '::ffff:169.254.169.254');
    await expect(find('public', resolve)('s3.example', { all: true })).rejects.toThrow(
      's3.example resolves to ::ffff:169.254.169.254',
    );
  });

  it('refuses a public name that leads to this machine, and the other way round', async () => {
    await expect(find('public')('localhost', { all: true })).rejects.toThrow('not allowed');
    await expect(find('loopback', resolverOf('8.8.8.8'))('localhost', {})).rejects.toThrow(
      'not allowed',
    );
  });
});
