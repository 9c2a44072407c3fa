import { leftOutFiles, LEFT_OUT_TITLES } from './left-out.mjs';

const total = (figures, key) => figures.reduce((sum, figure) => sum + (figure[key] ?? 0), 0);

/** On a stand of its own, full of data, and only in the long run. */
export const LOAD_PARTS = ['load', 'overload', 'idle', 'slow', 'soak'];

/** Files of tests, what to tell them, and what they promise. */
export function testParts(seed, isSmall) {
  const number = (full, small) => String(isSmall ? small : full);
  return {
    rest: {
      goal: 'the unit and API tests that npm test leaves out, at small numbers',
      files: leftOutFiles(),
      // Without it the test of poolers is skipped.
      program: { name: 'PgBouncer', path: '/usr/sbin/pgbouncer', package: 'pgbouncer' },
      env: {},
    },
    screens: {
      goal: 'the browser tests that npm test leaves out',
      isInBrowser: true,
      files: ['--grep', LEFT_OUT_TITLES],
      env: {},
    },
    hostile: {
      goal: `${number('54000 or more', 'some')} hostile requests, no 500`,
      files: ['server/test/hostile'],
      env: { HOSTILE_RUNS: number(1_500, 20), HOSTILE_SEED: seed },
      sum: (figures) => `${total(figures, 'requests')} requests`,
    },
    databases: {
      goal: 'every API test on the embedded database and on a server',
      files: ['server/src'],
      env: { BOTH_DATABASES: 'yes' },
    },
    races: {
      goal: `C1 to C26, ${number(200, 8)} rounds each: 0 broken`,
      files: ['server/test/races'],
      env: { RACE_ROUNDS: number(200, 8), RACE_SEED: seed },
      sum: (figures) => `${total(figures, 'rounds')} rounds, ${total(figures, 'broken')} broken`,
    },
    kills: {
      goal: `E1 to E3, ${number(50, 2)} kills each: nothing acknowledged lost`,
      files: ['server/test/kills.test.ts'],
      env: { KILLS: number(50, 2), KILLS_OF_BOTH: number(50, 1), KILL_SEED: seed },
    },
    engine: {
      goal: `${number('20,000 posts, 200', '200 posts, 7')} kills of engines: each published once`,
      files: ['server/test/engine/kills.test.ts', 'server/test/engine/restart.test.ts'],
      env: { ENGINE_POSTS: number(20_000, 200), ENGINE_KILLS: number(200, 7), KILL_SEED: seed },
    },
    worker: {
      goal: `${number('5,000', '300')} posts, the engine and the example worker at once: each published once`,
      files: ['server/test/api/beside-engine.test.ts'],
      env: { API_POSTS: number(5_000, 300) },
      sum: (figures) =>
        `${total(figures, 'engine')} by the engine, ${total(figures, 'worker')} by the worker`,
    },
    bulk: {
      goal: `${number('100,000', '3,000')} posts cancelled by one bulk change, killed half way: each once`,
      files: ['server/test/bulk-kill.test.ts'],
      env: { BULK_POSTS: number(100_000, 3_000) },
    },
    import: {
      goal: `${number('1,000,000', '6,000')} posts imported, killed half way: each once`,
      files: ['server/test/import-kill.test.ts'],
      env: { IMPORT_POSTS: number(1_000_000, 6_000) },
    },
    faults: {
      goal: 'F1, F2, F3, F5: 503 in time, and back by itself',
      files: ['server/test/faults.test.ts'],
      env: {},
    },
    restarts: {
      goal: 'F4: restarts of the database under load',
      files: ['server/test/restarts.test.ts'],
      env: { RESTARTS: number(6, 2), RESTART_EVERY_MS: number(20_000, 2_000) },
    },
    disk: {
      goal: 'F6: a full disk (mounting one needs root)',
      files: ['server/test/disk-full.test.ts'],
      env: { FULL_DISK: 'yes' },
    },
    clock: {
      goal: 'F7: a clock that is wrong or jumps',
      files: ['server/test/clock.test.ts'],
      env: { EVERY_CLOCK: 'yes' },
    },
    switches: {
      goal: `the engine: seven switches at ${number(200, 10)} moments, late posts, bad hosts, stopping`,
      files: [
        'server/test/engine/switches.test.ts',
        'server/test/engine/late.test.ts',
        'server/test/engine/hosts.test.ts',
        'server/test/engine/bad-input.test.ts',
        'server/test/engine/stop.test.ts',
        'server/test/engine/idle.test.ts',
      ],
      env: {
        SWITCH_OFFSETS: number(200, 10),
        SWITCH_SEED: seed,
        HOST_POSTS: number(40, 4),
        IDLE_SECONDS: number(30, 5),
      },
    },
    timing: {
      goal: 'A3: the time of a login does not tell which accounts exist',
      files: ['server/test/timing'],
      env: { TIMING_TRIPLES: number(1_000, 20), TIMING_SEED: seed },
    },
    browser: {
      goal: `G2, G8 to G12: sessions, forms and states, ${number(20, 2)} rounds`,
      isInBrowser: true,
      files: [
        'states.faults.spec.ts',
        'loading.spec.ts',
        'hostile-words.spec.ts',
        'token.spec.ts',
        'back-forward-cache.faults.spec.ts',
        'two-tabs.spec.ts',
        'expired-forms.spec.ts',
        'one-write.faults.spec.ts',
        'conflicts.spec.ts',
      ],
      env: { BROWSER_ROUNDS: number(20, 2) },
    },
    desk: {
      goal: `Now, finding, failures, audit log, bulk changes and exports among ${number('1,000,000', '300,000')} posts`,
      isInBrowser: true,
      // One after the other: they share the database and its engine.
      files: ['--workers=1'],
      env: { STORY_POSTS: number(1_000_000, 300_000) },
    },
  };
}
