import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { VaultError, createVault, masterKeys } from './vault.ts';

const newKey = () => randomBytes(32).toString('base64');
const [first, second] = [newKey(), newKey()];
const vaultOf = (...keys: string[]) => createVault(masterKeys(keys.join('\n')));
const owner = { table: 'oauth_sessions', id: 'did:plc:a' };

test('what is sealed opens again, and never looks the same', () => {
  const vault = vaultOf(first);
  const [one, other] = [vault.seal(owner, 'Grüße 🌍'), vault.seal(owner, 'Grüße 🌍')];
  expect(vault.open(owner, one)).toBe('Grüße 🌍');
  expect(one.ciphertext.equals(other.ciphertext)).toBe(false);
  expect(one.wrappedKey.equals(other.wrappedKey)).toBe(false);
  expect(vault.open(owner, vault.seal(owner, ''))).toBe('');
});

test('an envelope opens for its row alone', () => {
  const vault = vaultOf(first);
  const envelope = vault.seal(owner, 'secret');
  for (const elsewhere of [
    { ...owner, id: 'did:plc:b' },
    { ...owner, table: 'oauth_states' },
  ]) {
    expect(() => vault.open(elsewhere, envelope)).toThrow(VaultError);
  }
});

test('every changed bit is noticed', () => {
  const vault = vaultOf(first);
  const envelope = vault.seal(owner, 'secret');
  for (const part of ['wrappedKey', 'ciphertext'] as const) {
    for (let index = 0; index < envelope[part].length; index += 1) {
      const changed = Buffer.from(envelope[part]);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(() => vault.open(owner, { ...envelope, [part]: changed })).toThrow(VaultError);
    }
    expect(() => vault.open(owner, { ...envelope, [part]: Buffer.alloc(0) })).toThrow(VaultError);
  }
});

test('an earlier key only reads; rewrapped, it is not needed any more', () => {
  const envelope = vaultOf(first).seal(owner, 'secret');
  const both = vaultOf(second, first);
  expect(both.open(owner, envelope)).toBe('secret');
  const { keyId } = both;
  const rewrapped = { ...envelope, keyId, wrappedKey: both.rewrap(owner, envelope) };
  expect(vaultOf(second).open(owner, rewrapped)).toBe('secret');
  expect(() => vaultOf(second).open(owner, envelope)).toThrow(VaultError);
  expect(() => vaultOf(first).open(owner, rewrapped)).toThrow(VaultError);
});

const ids = (text: string) => masterKeys(text).map(({ id }) => id);

describe('keys', () => {
  test.each([
    ['', 'nothing'],
    ['short', 'a word'],
    [randomBytes(31).toString('base64'), '31 bytes'],
    [randomBytes(33).toString('base64'), '33 bytes'],
    [randomBytes(32).toString('hex'), 'hexadecimal'],
    [`${newKey()}\nshort`, 'a second line that is none'],
  ])('%# %s is refused', (text) => {
    expect(() => masterKeys(text)).toThrow('32 random bytes in base64');
  });

  test('are named by their hash, and separated by commas or lines', () => {
    expect(ids(`${first},${second}`)).toEqual(ids(`${first}\n${second}`));
    expect(new Set(ids(`${first}, ${second}`)).size).toBe(2);
    expect(ids(first)[0]).toMatch(/^[0-9a-f]{16}$/);
  });
});
