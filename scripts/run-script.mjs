import './lib/require-node.mjs';
import { ensureChromium } from './lib/chromium.mjs';
import { ensurePages } from './lib/page-builds.mjs';
import { handOver } from './lib/hand-over.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { main, Stop } from './lib/say.mjs';

// node scripts/run-script.mjs [--console] [--browser] <script.ts> [arguments for it]
await main(async () => {
  const args = process.argv.slice(2);
  const first = args.findIndex((arg) => !arg.startsWith('--'));
  if (first === -1)
    throw new Stop('Usage: run-script.mjs [--console] [--browser] <script> [arguments]');
  const needs = new Set(args.slice(0, first));
  await ensureInstalled();
  if (needs.has('--console')) await ensurePages();
  const browser = needs.has('--browser') ? { CHROMIUM_PATH: await ensureChromium() } : {};
  return handOver(args.slice(first), {
    env: { ...process.env, ...browser },
    isInteractive: true,
  });
});
