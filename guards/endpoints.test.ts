import { ENDPOINTS } from '@meridian/contract';
import { expect, test } from 'vitest';
import { projectFiles, read } from './tree.ts';

const text = (matching: RegExp) => projectFiles(matching).map(read).join('\n');
const mentions = (source: string, name: string) => new RegExp(`\\b${name}\\b`).test(source);
const missingFrom = (source: string) =>
  ENDPOINTS.map(({ name }) => name).filter((name) => !mentions(source, name));

test('every call has a route', () => {
  expect(
    missingFrom(
      text(/^server\/src\/features\/(?!.*\.test\.).*\.ts$/).replaceAll(/^import[\s\S]*?;$/gm, ''),
    ),
  ).toEqual([]);
});

test('every call has an API test', () => {
  expect(missingFrom(text(/^server\/(?:test\/|.*\.test\.ts$)/))).toEqual([]);
});
