import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanEnv } from './clean-env.mjs';
import { filesUnder } from './files.mjs';
import { lockProblems } from './lock-file.mjs';
import { root } from './root.mjs';
import { run, tool } from './run.mjs';

/** What can be said of the code without running it. Each is one check in the count. */
export const staticChecks = [
  { name: 'lock file', run: checkLockFile },
  { name: 'types', run: checkTypes },
  { name: 'format', run: () => run(tool('oxfmt'), ['--check'], { env: cleanEnv() }) },
  { name: 'lint', run: () => run(tool('oxlint'), ['--type-aware'], { env: cleanEnv() }) },
  { name: 'dead code', run: () => run(tool('knip'), ['--no-progress'], { env: cleanEnv() }) },
];

function checkLockFile() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const problems = lockProblems(lock);
  if (problems.length === 0) return { ok: true };
  const output = `package-lock.json cannot be used on every system:\n${problems.join('\n')}\nnpm run lock writes it anew.`;
  return { ok: false, output };
}

const TYPED_FOLDERS = [
  '.',
  'contract',
  'demo',
  'embedded',
  'server',
  'console',
  'people',
  'e2e',
  'bench',
  'guards',
];

async function checkTypes() {
  const results = await Promise.all(
    TYPED_FOLDERS.filter(hasTypes).map((folder) =>
      run(tool('tsc'), ['--noEmit', '-p', folder, '--pretty', 'false'], { env: cleanEnv() }),
    ),
  );
  return {
    ok: results.every((result) => result.ok),
    output: results.map((result) => result.output).join(''),
    ms: Math.max(...results.map((result) => result.ms)),
  };
}

/** tsc takes a folder without a single source for a mistake. */
function hasTypes(folder) {
  if (!existsSync(join(root, folder, 'tsconfig.json'))) return false;
  return filesUnder(join(root, folder)).some((file) => /\.tsx?$/.test(file));
}
