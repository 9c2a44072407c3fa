import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureInstalled, ensurePages, ensureProgram } from './lib/prepare.mjs';
import { endWithChildren, handOver, pathWithPinnedNode } from './lib/processes.mjs';
import { pinnedNode, run, stopChildren, tool } from './lib/processes.mjs';
import { root } from './lib/root.mjs';
import { main, say, Stop } from './lib/say.mjs';

const USAGE = `Starts Meridian: the console, its API and the engine on http://127.0.0.1:3000. Installs and builds
what is missing first. Ctrl-C stops everything and loses nothing.

  npm start

  --version   the version
  --help      this text

Settings are environment variables, such as PORT=3001 npm start; docs/reference.md lists all of them:

  PORT, HOST      where it listens: 3000, 127.0.0.1
  DATA_DIR        the embedded database, published files and the first password: ./data
  DATABASE_URL    a PostgreSQL server instead of the embedded database
  DEMO_DATA=off   an empty service instead of demonstration data
  UPSTREAM_API    only the console, in front of a service that you have
`;

const WAYS = { start, dev, build, lab, script };

// Runs before anything is installed, on the Node that the machine has: Node's own modules only.
await main(() => WAYS[process.argv[2]](process.argv.slice(3)));

async function start([option]) {
  if (option === '--help') return void process.stdout.write(USAGE);
  if (option === '--version')
    return say(JSON.parse(readFileSync(join(root, 'package.json'))).version);
  if (option !== undefined) {
    process.stderr.write(`There is no option ${option}.\nSee npm start -- --help\n`);
    return 2;
  }
  await build();
  // Node would set aside up to 128 MB for new objects, and let old ones grow fourfold before it collects
  // them: a server of this kind needs neither.
  return handOver(['--max-semi-space-size=8', '--heap-growing-percent=50', 'server/src/main.ts']);
}

/** Everything a start would do first, for machines where another account than the builder's serves. */
async function build() {
  await ensureInstalled();
  await ensurePages();
}

/**
 * The server starts anew on every change of its sources; Vite serves the console with hot reload
 * and passes calls on to it. Ends when either of them does.
 */
async function dev() {
  endWithChildren();
  await ensureInstalled();
  const options = { env: { ...process.env, PATH: pathWithPinnedNode() }, show: true };
  const server = ['--watch', '--watch-preserve-output', 'server/src/main.ts'];
  const ended = await Promise.race([
    run(pinnedNode(), server, options),
    run(tool('vite'), [], { ...options, cwd: join(root, 'console') }),
  ]);
  stopChildren();
  return ended.code;
}

/**
 * Compares the local network with the reference PDS (`conformance`), kills engines that publish to it
 * (`kills`), or signs in there and refreshes the access (`oauth`).
 */
async function lab([part = 'conformance']) {
  const parts = ['conformance', 'kills', 'oauth'];
  if (!parts.includes(part)) throw new Stop(`No part ${part}: ${parts.join(', ')}.`);
  await ensureInstalled();
  await ensureInstalled(join(root, 'lab'), '370 MB');
  return script([...(part === 'oauth' ? ['--browser'] : []), `lab/${part}.mjs`]);
}

/** A script of the project, after options that name what it needs, before its own arguments. */
async function script(args) {
  const first = args.findIndex((arg) => !arg.startsWith('--'));
  const needs = new Set(args.slice(0, first));
  await ensureInstalled();
  if (needs.has('--pages')) await ensurePages();
  const browser = needs.has('--browser') ? await ensureProgram('Chromium') : {};
  return handOver(args.slice(first), { env: { ...process.env, ...browser }, isInteractive: true });
}
