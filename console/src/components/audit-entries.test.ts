import { expect, test } from 'vitest';
import { fieldChanges } from './audit-entries.tsx';

test.each([
  ['nothing', null, null, []],
  ['a field', { status: 'ACTIVE' }, { status: 'BLOCKED' }, ['status: ACTIVE → BLOCKED']],
  ['a new thing', null, { code: 'usd', active: true }, ['code: – → usd', 'active: – → true']],
  ['a deleted thing', { at: null, n: 0 }, null, ['n: 0 → –']],
  [
    'nested values, by their path',
    { name: { en: 'Studio', de: 'Studio' }, limits: { posts: 5 }, version: 3 },
    { name: { en: 'Atelier', de: 'Studio' }, limits: { posts: null }, version: 4 },
    ['name.en: Studio → Atelier', 'limits.posts: 5 → –'],
  ],
])('the changes of %s', (_, before, after, lines) => {
  const changes = fieldChanges({ before, after });
  expect(changes.map(({ field, ...to }) => `${field}: ${to.before} → ${to.after}`)).toEqual(lines);
});
