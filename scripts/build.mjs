import './lib/require-node.mjs';
import { ensurePages } from './lib/page-builds.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main } from './lib/say.mjs';

// Everything a start would do first, for machines where another account than the builder's serves.
await main(async () => {
  await ensureInstalled();
  await ensurePages();
});
