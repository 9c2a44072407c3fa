import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { setUpFolder } from '../../test/folder.ts';
import { runProgram } from '../../test/run-program.ts';

const dataDir = setUpFolder();

test.each([
  ['admin', '../admin-cli/admin-cli.ts', ['list']],
  ['audit:verify', '../audit/verify-cli.ts', []],
  ['copy-database', '../copy/copy-cli.ts', ['--to', 'postgresql://nobody@127.0.0.1:1/nothing']],
  ['export', '../export/export-cli.ts', ['--out', 'nowhere']],
  ['import --dry-run', '../import/import-cli.ts', ['/dev/null', '--dry-run']],
  ['reconcile', '../counters/reconcile-cli.ts', []],
])('%s makes no database where it finds none', async (_, program, args) => {
  const url = new URL(program, import.meta.url);
  expect(await runProgram(url, args, { DATA_DIR: dataDir })).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no database in ${dataDir}. Set DATA_DIR to the folder that the server uses, or DATABASE_URL to its PostgreSQL server.\n`,
  });
  expect(await readdir(dataDir)).toEqual([]);
});
