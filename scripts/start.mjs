import './lib/require-node.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensurePages } from './lib/page-builds.mjs';
import { handOver } from './lib/hand-over.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { root } from './lib/root.mjs';
import { main } from './lib/say.mjs';

const USAGE = `Starts Meridian: the console, its API and the engine on http://127.0.0.1:3000. Installs and builds
what is missing first. Ctrl-C stops everything and loses nothing.

  npm start

  --version   the version
  --help      this text

Settings are environment variables, such as PORT=3001 npm start; README.md lists all of them:

  PORT, HOST      where it listens: 3000, 127.0.0.1
  DATA_DIR        the embedded database, published files and the first password: ./data
  DATABASE_URL    a PostgreSQL server instead of the embedded database
  DEMO_DATA=off   an empty service instead of demonstration data
  UPSTREAM_API    only the console, in front of a service that you have
`;

// Runs before anything is installed: Node's own modules only.
await main(async () => {
  const [option] = process.argv.slice(2);
  if (option === '--help') return void process.stdout.write(USAGE);
  if (option === '--version') return void process.stdout.write(`${version()}\n`);
  if (option !== undefined) {
    process.stderr.write(`There is no option ${option}.\nSee npm start -- --help\n`);
    return 2;
  }
  await ensureInstalled();
  await ensurePages();
  // Node would set aside up to 128 MB for new objects, and let old ones grow fourfold before it collects
  // them: a server of this kind needs neither.
  return handOver(['--max-semi-space-size=8', '--heap-growing-percent=50', 'server/src/main.ts']);
});

function version() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}
