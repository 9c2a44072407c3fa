/*
 * `npm test` leaves these to `npm run test:hard`: rounds, kills and commands as processes (`hard/`), and in
 * the browser everything around the main path of a screen. `npm test` is to end within nine minutes on two
 * cores: a new test that takes long joins the list, unless it is the only proof of its screen.
 */

/** Beginnings of the paths of unit and API tests, which Vitest takes as they are. */
export const LEFT_OUT_FILES = wordsOf(`
  hard/ embedded/src/crash scripts/readme server/test/examples/examples
`);

/** Names of browser tests: a server that fails, one with other shapes, and these. */
export const LEFT_OUT_SPECS = wordsOf(String.raw`
  [\w-]+\.faults [\w-]+\.foreign access-keywords accessibility conflicts drafts expired-forms focus
  forced-colors hostile-[a-z]+ incident keyboard list-address live loading local-network mended
  new-release people-(drafts|focus|lists|live|story|time) pictures plans-form-bar
  post-(changes|content) seen-whole session story text-(size|spacing)
  tickets-(form|issue|pages|revoke) token two-tabs user-plans widths
`);

/** For Playwright, whose full name of a test holds its file. */
export const LEFT_OUT_TITLES = String.raw`\b(${LEFT_OUT_SPECS.join('|')})\.spec\.ts\b`;

function wordsOf(text) {
  return text.trim().split(/\s+/);
}
