import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

// Every script imports this file, so that an old Node is refused in one sentence before it fails in twenty.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `Meridian needs Node 20.19 or newer to start; this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
