import './lib/require-node.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockProblems } from './lib/lock-file.mjs';
import { root } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { main, say, Stop } from './lib/say.mjs';

const file = join(root, 'package-lock.json');
// npm adds what an optional package of another system needs only in its second pass.
const PASSES = 2;

/** Brings package-lock.json in line with every package.json. */
await main(async () => {
  for (let pass = 0; pass < PASSES; pass += 1) {
    const result = await run('npm', ['install', '--package-lock-only', '--loglevel=error']);
    if (!result.ok) {
      process.stderr.write(result.output);
      throw new Stop('npm install failed; its output is above.');
    }
  }
  const problems = lockProblems(JSON.parse(readFileSync(file, 'utf8')));
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`);
    throw new Stop(
      'package-lock.json is not complete; choose versions whose packages for every system are in the registry.',
    );
  }
  say('package-lock.json is complete.');
});
