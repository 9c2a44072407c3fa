import { expect, test } from 'vitest';
import { hashPassword, isOutdated, unmatchableHash, verifyPassword } from './passwords.ts';

const parametersOf = (phc: string) => phc.split('$').slice(0, 4).join('$');

test('a hash matches its password to the byte, and no other', async () => {
  const password = ' Pässwörd 🔑 ';
  const hash = await hashPassword(password);
  expect(await verifyPassword(password, hash)).toBe(true);
  for (const other of [password.trim(), password.toLowerCase(), password.normalize('NFD'), '']) {
    expect(await verifyPassword(other, hash)).toBe(false);
  }
});

test('nothing of a long password is cut off', async () => {
  const hash = await hashPassword('x'.repeat(256));
  expect(await verifyPassword('x'.repeat(255), hash)).toBe(false);
  expect(await verifyPassword(`${'x'.repeat(255)}y`, hash)).toBe(false);
});

test('the hash for unknown names costs the same and matches nothing', async () => {
  const [real, unmatchable] = [await hashPassword('correct horse battery'), unmatchableHash()];
  expect(parametersOf(unmatchable)).toBe(parametersOf(real));
  expect(parametersOf(real)).toBe('$argon2id$v=19$m=19456,t=2,p=1');
  expect(unmatchable).toHaveLength(real.length);
  expect(isOutdated(unmatchable)).toBe(false);
  expect(await verifyPassword('', unmatchable)).toBe(false);
});

test('the same password never gives the same hash', async () => {
  const [one, other] = await Promise.all([hashPassword('the same'), hashPassword('the same')]);
  expect(one).not.toBe(other);
});
