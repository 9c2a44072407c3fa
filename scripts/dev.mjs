import './lib/require-node.mjs';
import { join } from 'node:path';
import { ensureInstalled } from './lib/install.mjs';
import { pathWithPinnedNode, pinnedNode } from './lib/pinned-node.mjs';
import { root } from './lib/root.mjs';
import { endWithChildren, run, stopChildren, tool } from './lib/run.mjs';
import { main } from './lib/say.mjs';

// The server starts anew on every change of its sources; Vite serves the console with hot reload
// and passes calls on to it. Ends when either of them does.
await main(async () => {
  endWithChildren();
  await ensureInstalled();
  const env = { ...process.env, PATH: pathWithPinnedNode() };
  const server = ['--watch', '--watch-preserve-output', 'server/src/main.ts'];
  const ended = await Promise.race([
    run(pinnedNode(), server, { env, show: true }),
    run(tool('vite'), [], { cwd: join(root, 'console'), env, show: true }),
  ]);
  stopChildren();
  return ended.code;
});
