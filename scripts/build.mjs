import './lib/require-node.mjs';
import { ensureConsole } from './lib/console-build.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';

// Everything a start would do first, for machines where another account than the builder's serves.
await main(async () => {
  await ensureInstalled();
  await ensureConsole();
});
