import { existsSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { root } from './root.mjs';
import { Stop } from './say.mjs';

const MAJOR = 24;
const MINOR = 7;

/** The Node that runs everything: the one installed as a package, else a machine's own that will do. */
export function pinnedNode() {
  const isWindows = process.platform === 'win32';
  const name = `node-${isWindows ? 'win' : process.platform}-${process.arch}`;
  const packaged = join(root, 'node_modules', name, 'bin', isWindows ? 'node.exe' : 'node');
  if (existsSync(packaged)) return packaged;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > MAJOR || (major === MAJOR && minor >= MINOR)) return process.execPath;
  throw new Stop(
    `Meridian runs on Node ${MAJOR}.${MINOR} or newer; no package brings it for ${process.platform}-${process.arch}, and this one is ${process.versions.node}.`,
  );
}

/** A PATH on which `node` is that one, for tools that look for it there. */
export function pathWithPinnedNode() {
  const folders = [dirname(pinnedNode()), join(root, 'node_modules', '.bin'), process.env.PATH];
  return folders.filter(Boolean).join(delimiter);
}
