import { expect, test } from 'vitest';
import { createClosers } from './background-task.ts';

test('closes in reverse order, once, also when one fails', async () => {
  const closers = createClosers();
  const closed: string[] = [];
  closers.add(async () => void closed.push('database'));
  closers.add(() => Promise.reject(new Error('pool')));
  closers.add(async () => void closed.push('server'));
  await expect(closers.closeAll()).rejects.toThrow('pool');
  expect(closed).toEqual(['server', 'database']);
  await closers.closeAll();
  expect(closed).toHaveLength(2);
});
