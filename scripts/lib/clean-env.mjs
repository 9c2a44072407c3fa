import { pathWithPinnedNode } from './pinned-node.mjs';

// Tests must not depend on what the developer's shell happens to hold: neither our own settings
// (PORT, DATABASE_URL, …) nor those of libraries (PG*, AWS_*, NODE_OPTIONS) get through.
const KEPT = [
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'TMPDIR',
  'CI',
  'COLORTERM',
  'FORCE_COLOR',
  'NO_COLOR',
  'LD_LIBRARY_PATH',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'PLAYWRIGHT_BROWSERS_PATH',
  'SYSTEMROOT',
  'TEMP',
  // Ways to run the browser tests that a developer asks for.
  'SCROLLBARS',
  'TRACE',
];

export function cleanEnv(extra = {}) {
  const kept = KEPT.filter((name) => process.env[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, process.env[name]])),
    PATH: pathWithPinnedNode(),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
    ...extra,
  };
}
