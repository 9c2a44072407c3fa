import './lib/require-node.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { missingFromLock, withoutStandIns } from './lib/lock-file.mjs';
import { root } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { main, say, Stop } from './lib/say.mjs';

const file = join(root, 'package-lock.json');

// Brings package-lock.json in line with every package.json. npm leaves a package for another system
// out when the registry at hand does not carry it, and `npm ci` then refuses that very lock file:
// a stand-in takes its place, with all that can be known of it (name, version and system).
await main(async () => {
  // npm would take the stand-ins of before for packages that are there, and work around them.
  change(withoutStandIns);
  const result = await run('npm', ['install', '--package-lock-only', '--loglevel=error']);
  if (!result.ok) {
    process.stderr.write(result.output);
    throw new Stop('npm install failed; its words are above.');
  }
  const { packages } = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingFromLock({ packages });
  change((found) => ({ ...found, ...Object.fromEntries(missing) }));
  say(`package-lock.json is complete, with stand-ins for ${missing.length} packages.`);
});

function change(how) {
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const packages = Object.entries(how(lock.packages));
  lock.packages = Object.fromEntries(packages.toSorted(([a], [b]) => a.localeCompare(b, 'en')));
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}
