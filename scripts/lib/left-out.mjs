/*
 * `npm test` leaves these to `npm run test:hard`: rounds, kills and commands as processes, and in the
 * browser everything around the main path of a screen. `npm test` is to end within nine minutes on two
 * cores: a new test that takes long joins the list, unless it is the only proof of its screen.
 */

/** Beginnings of the paths of unit and API tests, which Vitest takes as they are. */
export const LEFT_OUT_FILES = wordsOf(`
  embedded/src/crash scripts/readme server/src/admin-cli/admin-cli server/src/audit/tampering
  server/src/check-upstream/check-upstream server/src/cli/ server/src/copy/
  server/src/features/plans/plans-races server/src/features/sign-in-limits/refunded-attempts
  server/src/features/sign-in-limits/shared-address server/src/features/sign-in-limits/sign-in-f
  server/src/features/tickets/tickets-races server/src/import/import-cli
  server/src/network/oauth/refresh-races server/src/seed/seed-cli server/src/vault/rotate-keys
  server/test/bulk-kill server/test/clock server/test/engine/hosts server/test/examples/examples
  server/test/faults server/test/hostile/ server/test/import-kill server/test/kills server/test/memory/
  server/test/pooler server/test/process server/test/races/ server/test/standby
  server/test/start-refusals
`);

/** Names of browser tests: a server that fails, one with other shapes, and these. */
export const LEFT_OUT_SPECS = wordsOf(String.raw`
  [\w-]+\.faults [\w-]+\.foreign access-keywords accessibility conflicts drafts expired-forms focus
  forced-colors hostile-[a-z]+ incident keyboard list-address live loading local-network mended
  new-release people-(drafts|focus|lists|live|story|time) pictures plans-(form|form-bar|input|prices)
  post-(changes|content) seen-whole session story text-(size|spacing)
  tickets-(form|issue|pages|revoke) token two-tabs user-plans widths
`);

/** For Playwright, whose full name of a test holds its file. */
export const LEFT_OUT_TITLES = String.raw`\b(${LEFT_OUT_SPECS.join('|')})\.spec\.ts\b`;

function wordsOf(text) {
  return text.trim().split(/\s+/);
}
