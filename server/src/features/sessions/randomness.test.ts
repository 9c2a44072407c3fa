import { describe, expect, test } from 'vitest';
import { generatePassword } from '../passwords/passwords.ts';
import { newToken, tokenOfHeader } from './sessions.service.ts';

/**
 * How far counts are from uniform, in standard deviations of the chi-square distribution. More than
 * twelve happens by chance in less than one of 10^12 runs.
 */
function unevenness(counts: readonly number[]): number {
  const expected = counts.reduce((sum, count) => sum + count) / counts.length;
  const chiSquare = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  const degrees = counts.length - 1;
  return (chiSquare - degrees) / Math.sqrt(2 * degrees);
}

describe('a token', () => {
  const tokens = Array.from({ length: 100_000 }, newToken);

  test('is unique', () => {
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  test('has 32 uniformly distributed bytes', () => {
    const counts = Array.from({ length: 256 }, () => 0);
    for (const token of tokens) {
      const bytes = Buffer.from(token.slice('adm_'.length), 'base64url');
      if (bytes.length !== 32) throw new Error(`${token} holds ${bytes.length} bytes`);
      for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
    }
    expect(unevenness(counts)).toBeLessThan(12);
  });

  test('is read from the header', () => {
    const token = newToken();
    expect(tokenOfHeader(`Bearer ${token}`)).toBe(token);
    expect(tokenOfHeader(`bearer ${token}`)).toBe(token);
  });
});

test('a generated password has 24 uniformly distributed characters of at least 140 bits', () => {
  const counts = new Map<string, number>();
  const passwords = Array.from({ length: 20_000 }, generatePassword);
  for (const password of passwords) {
    if (!/^[1-9A-HJ-NP-Za-km-z]{24}$/.test(password)) throw new Error(password);
    for (const letter of password) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  expect(new Set(passwords).size).toBe(passwords.length);
  expect(24 * Math.log2(counts.size)).toBeGreaterThan(140);
  expect(unevenness([...counts.values()])).toBeLessThan(12);
});
