import { expect, test } from 'vitest';
import { projectFiles, read } from './tree.ts';

/**
 * Browser tests run against the real server. The scripted one is for what the real server does not
 * do on demand: failures and delays (`.faults`), and shapes that it never sends (`.foreign`).
 */
const ALLOWED = /\.(faults|foreign)\.spec\.ts$/;
const SCRIPTED = /\bstandIn\b|\/stand-in\.ts'/;

const specs = projectFiles(/^e2e\/[^/]+\.spec\.ts$/);

test('only specs of faults and foreign shapes use the scripted server', () => {
  expect(specs.length).toBeGreaterThan(20);
  const others = specs.filter((file) => !ALLOWED.test(file) && SCRIPTED.test(read(file)));
  expect(others).toEqual([]);
});
