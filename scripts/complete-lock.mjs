import './lib/require-node.mjs';
import { readFileSync, writeFileSync } from 'node:fs';
import { missingFromLock } from './lib/lock-file.mjs';
import { join } from 'node:path';
import { root } from './lib/root.mjs';
import { main, say } from './lib/say.mjs';

// npm leaves a package for another system out of the lock file when the registry at hand does not
// carry it, and `npm ci` then refuses that very lock file. This adds what is missing, as far as it
// can be known: name, version and system. Run it after every npm install.
await main(() => {
  const file = join(root, 'package-lock.json');
  const lock = JSON.parse(readFileSync(file, 'utf8'));
  const missing = missingFromLock(lock);
  if (missing.length === 0) return;
  const packages = { ...lock.packages, ...Object.fromEntries(missing) };
  const inOrder = Object.entries(packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'));
  lock.packages = Object.fromEntries(inOrder);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  say(`Added ${missing.length} packages for other systems to package-lock.json.`);
});
