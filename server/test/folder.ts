import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** An empty folder for all tests of a block. */
export function setUpFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), `meridian-test-${process.pid}-`));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
