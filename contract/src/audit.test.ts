import { expect, test } from 'vitest';
import { AUDIT_ACTIONS, ENDPOINTS, auditReverse, bulkPreview, finalReason } from './index.ts';

test('every call that changes something is an action, but for reversals and previews', () => {
  const changing = ENDPOINTS.filter(({ method }) => method !== 'GET').map(({ name }) => name);
  const missing = changing.filter((name) => !Object.hasOwn(AUDIT_ACTIONS, name));
  expect(missing).toEqual([auditReverse.name, bulkPreview.name]);
});

test.each([
  ['userUpdate', { status: 'BLOCKED' }, null],
  ['postUpdate', { status: 'CANCELLED' }, null],
  ['postUpdate', { status: 'COMPLETED' }, 'A completed or failed post keeps its status.'],
  ['postDelete', null, 'A deleted post cannot be restored: its text was not kept.'],
  ['authLogin', null, 'It records an event; there is nothing to set back.'],
  ['constructor', null, 'This version knows no inverse of this action.'],
])('%s to %j: %s', (action, after, reason) => {
  expect(finalReason(action, after)).toBe(reason);
});
