import { expect, test } from 'vitest';
import { keptKey } from './idempotency-key.ts';

test('one key as long as the same is sent, a new one after a change or an answer', () => {
  const kept = keptKey();
  const first = kept.keyFor({ memo: 'a' });
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(kept.keyFor({ memo: 'a' })).toBe(first);
  const changed = kept.keyFor({ memo: 'b' });
  expect(changed).not.toBe(first);
  // What was sent before the change may have been done by now: it is not taken up again.
  expect(kept.keyFor({ memo: 'a' })).not.toBe(first);
  const latest = kept.keyFor({ memo: 'a' });
  kept.spend();
  expect(kept.keyFor({ memo: 'a' })).not.toBe(latest);
});

test('each form has its own', () => {
  expect(keptKey().keyFor({})).not.toBe(keptKey().keyFor({}));
});
