import { expect, test } from 'vitest';
import { confirm, getDialog, inform } from './dialog-host.tsx';

test('what is told or asked after the session has ended does not wait for the next one', async () => {
  // The session of this test has not begun.
  const told = await inform({ title: 'USD was not changed', body: 'The session has ended' });
  expect(told).toBe(false);
  const question = { title: 'Deactivate USD', body: '', failed: '', run: () => Promise.resolve() };
  expect(await confirm(question)).toBe(false);
  expect(getDialog().isOpen).toBe(false);
});
