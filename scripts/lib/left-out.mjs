import { matchesGlob, relative } from 'node:path';
import { filesUnder } from './files.mjs';
import { root } from './root.mjs';

/**
 * What `npm test` leaves to `npm run test:hard`: rounds, kills and commands as processes, and in the
 * browser what goes around the main path of a screen. `npm test` is to end within nine minutes on two
 * cores: what is new and takes long joins the list, unless it is the only proof of its screen.
 */

/** Files of unit and API tests, as patterns from the root. */
export const LEFT_OUT_FILES = [
  'embedded/src/crash.test.ts',
  'scripts/readme.test.mjs',
  'server/src/admin-cli/admin-cli.test.ts',
  'server/src/audit/tampering.test.ts',
  'server/src/check-upstream/check-upstream*.test.ts',
  'server/src/cli/*.test.ts',
  'server/src/copy/*.test.ts',
  'server/src/features/*/*-races.test.ts',
  'server/src/features/sign-in-limits/{refunded-attempts,shared-address,sign-in-failures,sign-in-flood}.test.ts',
  'server/src/import/import-cli.test.ts',
  'server/src/network/oauth/refresh-races.test.ts',
  'server/src/seed/seed-cli.test.ts',
  'server/src/vault/rotate-keys.test.ts',
  'server/test/*-kill.test.ts',
  'server/test/clock.test.ts',
  'server/test/engine/hosts.test.ts',
  'server/test/examples/examples.test.ts',
  'server/test/faults.test.ts',
  'server/test/hostile/*.test.ts',
  'server/test/kills.test.ts',
  'server/test/kills/*.test.ts',
  'server/test/memory/*.test.ts',
  'server/test/pooler.test.ts',
  'server/test/process.test.ts',
  'server/test/races/*.test.ts',
  'server/test/standby.test.ts',
  'server/test/start-refusals.test.ts',
];

/** The files themselves, for Vitest, which takes no patterns to include. */
export function leftOutFiles() {
  const files = filesUnder(root).map((file) => relative(root, file));
  return files.filter((file) => LEFT_OUT_FILES.some((one) => matchesGlob(file, one)));
}

/** Names of browser tests: a server that fails, one with other shapes, and these. */
export const LEFT_OUT_SPECS = [
  '[\\w-]+\\.faults',
  '[\\w-]+\\.foreign',
  'access-keywords',
  'accessibility',
  'conflicts',
  'drafts',
  'expired-forms',
  'focus',
  'forced-colors',
  'hostile-[a-z]+',
  'incident',
  'keyboard',
  'list-address',
  'live',
  'loading',
  'local-network',
  'mended',
  'new-release',
  'people-(drafts|focus|lists|live|story|time)',
  'pictures',
  'plans-(form|form-bar|input|prices)',
  'post-(changes|content)',
  'seen-whole',
  'session',
  'story',
  'text-(size|spacing)',
  'tickets-(form|issue|pages|revoke)',
  'token',
  'two-tabs',
  'user-plans',
  'widths',
];

/** For Playwright, whose full name of a test holds its file. */
export const LEFT_OUT_TITLES = `\\b(${LEFT_OUT_SPECS.join('|')})\\.spec\\.ts\\b`;
