import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * The planted fault: record keys are made when a post is sent, and the engine leaves it to the database when a
 * commit counts, as both once were. What follows has to be found.
 */
const FAULTS = [
  [
    '/network/identity.ts',
    'export function recordKey(',
    'export const recordKey = () => now();\nfunction unused(',
  ],
  ['/engine/engine.ts', "  synchronous_commit: 'on',", ''],
];

for (const [file] of FAULTS) {
  const isThere = existsSync(new URL(`../../server/src${file}`, import.meta.url));
  if (!isThere) throw new Error(`Nothing to plant a fault in: ${file}`);
}

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    const fault = FAULTS.find(([file]) => url.endsWith(file));
    if (fault === undefined) return loaded;
    const [file, right, wrong] = fault;
    const source = Buffer.from(loaded.source).toString();
    if (source.split(right).length !== 2) throw new Error(`Nothing to plant a fault in: ${file}`);
    return { ...loaded, source: source.replace(right, wrong) };
  },
});
