import './lib/require-node.mjs';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { handOver } from './lib/hand-over.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root } from './lib/root.mjs';
import { run } from './lib/run.mjs';
import { main, say, Stop } from './lib/say.mjs';

const lab = join(root, 'lab');

const PARTS = ['conformance', 'kills'];

/**
 * Compares the local network with the reference PDS (`conformance`), or kills engines that publish to it
 * (`kills`). The PDS is installed for this alone (370 MB).
 */
await main(async () => {
  const [part = 'conformance'] = process.argv.slice(2);
  if (!PARTS.includes(part)) throw new Stop(`No part ${part}: ${PARTS.join(' or ')}.`);
  await ensureInstalled();
  if (!isInstalled()) {
    say('Installing the reference PDS.');
    const { ok, output } = await run('npm', ['ci', '--ignore-scripts', '--loglevel=error'], {
      cwd: lab,
    });
    if (!ok) throw new Stop(`${output}\nnpm ci failed in lab/; its output is above.`);
  }
  return handOver([`lab/${part}.mjs`]);
});

function isInstalled() {
  return changedAt('node_modules/.package-lock.json') >= changedAt('package-lock.json');
}

function changedAt(file) {
  return statSync(join(lab, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
