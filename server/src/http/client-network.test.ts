import { describe, expect, test } from 'vitest';
import { canonicalAddress, networkOf } from './guards.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('%s lies in %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

describe('an address from a proxy', () => {
  test.each([
    ['203.0.113.7:1', '203.0.113.7'],
    ['203.0.113.7:65535', '203.0.113.7'],
    ['[203.0.113.7]:5000', '203.0.113.7'],
    ['::ffff:cb00:7107', '203.0.113.7'],
    ['::FFFF:203.0.113.7', '203.0.113.7'],
    ['[::ffff:203.0.113.7]:5000', '203.0.113.7'],
    ['::ffff:203.0.113.7%eth0', '203.0.113.7'],
    ['[2001:db8:1:2::1]', '2001:db8:1:2::1'],
    ['[2001:db8:1:2::1]:443', '2001:db8:1:2::1'],
    ['2001:DB8:1:2:0:0:0:1', '2001:db8:1:2::1'],
    ['2001:0db8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::1'],
    ['[2001:db8:1:2::1%eth0]:443', '2001:db8:1:2::1'],
  ])('%s is %s, without its port', (text, address) => {
    expect(canonicalAddress(text)).toBe(address);
    expect(networkOf(text)).toBe(networkOf(address));
  });

  test.each([
    [''],
    ['unknown'],
    ['_hidden'],
    ['_a1b2c3'],
    ['garbage'],
    ['203.0.113.7:port'],
    ['203.0.113.7:123456'],
    ['203.0.113'],
    ['203.0.113.256'],
    ['010.0.0.1'],
    ['12345'],
    ['0x7f.1'],
    ['2001:db8::1::2'],
    ['[2001:db8::1'],
    ['2001:db8::1/64'],
    ['example.com'],
  ])('%s is none and belongs to the network "unknown"', (text) => {
    expect(canonicalAddress(text)).toBeNull();
    expect(networkOf(text)).toBe('unknown');
  });

  test('is none when the text is longer than any address', () => {
    for (const text of [`fe80::1%${'z'.repeat(100)}`, '1'.repeat(8_000)]) {
      expect(networkOf(text)).toBe('unknown');
    }
  });

  test('may be missing when the connection is already closed', () => {
    expect(networkOf(undefined)).toBe('unknown');
  });
});
