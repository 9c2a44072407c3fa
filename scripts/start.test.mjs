import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cleanEnv } from './lib/processes.mjs';
import { root } from './lib/root.mjs';

/** Nothing is started by any of these: each ends by itself. */
const start = (...args) =>
  new Promise((resolve) => {
    const options = { cwd: root, env: cleanEnv() };
    execFile(
      process.execPath,
      ['scripts/run.mjs', 'start', ...args],
      options,
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
  });

test('--version, --help, and an option there is not', async () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(await start('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
  expect(await start('--help')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('DATABASE_URL'),
    stderr: '',
  });
  expect(await start('--wipe')).toEqual({
    code: 2,
    stdout: '',
    stderr: 'There is no option --wipe.\nSee npm start -- --help\n',
  });
});
