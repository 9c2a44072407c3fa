import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { setUpFolder } from '../../server/test/folder.ts';
import { runProgram } from '../../server/test/run-program.ts';

const dataDir = setUpFolder();

test.each([
  ['admin', '../../server/src/admin-cli/admin-cli.ts', ['list']],
  ['audit:verify', '../../server/src/audit/verify-cli.ts', []],
  [
    'copy-database',
    '../../server/src/copy/copy-cli.ts',
    ['--to', 'postgresql://nobody@127.0.0.1:1/nothing'],
  ],
  ['export', '../../server/src/export/export-cli.ts', ['--out', 'nowhere']],
  ['import --dry-run', '../../server/src/import/import-cli.ts', ['/dev/null', '--dry-run']],
  ['reconcile', '../../server/src/counters/reconcile-cli.ts', []],
])('%s makes no database where it finds none', async (_, program, args) => {
  const url = new URL(program, import.meta.url);
  expect(await runProgram(url, args, { DATA_DIR: dataDir })).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no database in ${dataDir}. Set DATA_DIR to the folder that the server uses, or DATABASE_URL to its PostgreSQL server.\n`,
  });
  expect(await readdir(dataDir)).toEqual([]);
});
