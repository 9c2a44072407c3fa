import './lib/require-node.mjs';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { ensureChromium } from './lib/chromium.mjs';
import { handOver } from './lib/hand-over.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { main, say, Stop } from './lib/say.mjs';

const lab = join(root, 'lab');

const PARTS = ['conformance', 'kills', 'oauth'];

/**
 * Compares the local network with the reference PDS (`conformance`), kills engines that publish to it
 * (`kills`), or signs in there and refreshes the access (`oauth`). The PDS is installed for this alone (370 MB).
 */
await main(async () => {
  const [part = 'conformance'] = process.argv.slice(2);
  if (!PARTS.includes(part)) throw new Stop(`No part ${part}: ${PARTS.join(', ')}.`);
  await ensureInstalled();
  if (!isInstalled()) {
    say('Installing the reference PDS.');
    const { ok, output } = await run('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
      cwd: lab,
    });
    if (!ok) throw new Stop(`${output}\nnpm ci failed in lab/; its output is above.`);
  }
  const browser = part === 'oauth' ? { CHROMIUM_PATH: await ensureChromium() } : {};
  return handOver([`lab/${part}.mjs`], { env: { ...process.env, ...browser } });
});

function isInstalled() {
  return changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json');
}

function changedAt(file) {
  return statSync(join(lab, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
