import './lib/require-node.mjs';
import { ensureConsole } from './lib/console-build.mjs';
import { handOver } from './lib/hand-over.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';

// Runs before anything is installed: Node's own modules only.
await main(async () => {
  await ensureInstalled();
  await ensureConsole();
  return handOver(['server/src/main.ts', ...process.argv.slice(2)]);
});
