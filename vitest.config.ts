import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';
import { keepFilesInMemory } from './server/test/memory-folder.ts';

const NODE = 24;
if (Number.parseInt(process.versions.node, 10) < NODE) {
  throw new Error(`The tests need Node ${NODE}: run them with npm, which uses the pinned one.`);
}

keepFilesInMemory();

// Generous: they bound what hangs, they do not measure.
const timeouts = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 90_000, interval: 25 } },
};

// Every file builds what it needs and none replaces a module, so a worker loads the sources once
// instead of once a file: half the processor time of the small tests, a fifth of the server's.
const shared = { isolate: false, ...timeouts };

// These count the statements of their process, which other files of a worker would use up.
const alone = ['server/src/db/sql.test.ts', 'server/src/db/prepared-statements.test.ts'];
const globalSetup = ['server/test/global-setup.ts'];

const isWaiting = ({ moduleId }: TestSpecification) => moduleId.includes('/server/test/');

/** One that waits, one that computes, until the shorter list ends. */
function inTurn(files: TestSpecification[]): TestSpecification[] {
  const waiting = files.filter(isWaiting);
  const computing = files.filter((file) => !isWaiting(file));
  const both = waiting.flatMap((file, at) => [file].concat(computing.slice(at, at + 1)));
  return both.concat(computing.slice(waiting.length));
}

/**
 * What starts processes takes longest, however short its file is, and mostly waits: it comes early, in
 * turn with what computes. The first run in a clone knows of no durations, only of lengths.
 */
class ProcessesEarly extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- Vitest's, which returns a new array
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((one) => inTurn(sorted.filter(({ project }) => project === one)));
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: ProcessesEarly },
    // The tests wait for PostgreSQL and for processes more than they compute.
    maxWorkers: 4,
    projects: [
      'console/vitest.config.ts',
      { test: { name: 'contract', include: ['contract/**/*.test.ts'], ...shared } },
      { test: { name: 'demo', include: ['demo/**/*.test.ts'], ...shared } },
      { test: { name: 'embedded', include: ['embedded/**/*.test.ts'], ...timeouts } },
      {
        test: {
          name: 'server',
          // An `exclude` of its own would take the place of the command line's.
          include: ['server/**/*.test.ts', ...alone.map((file) => `!${file}`)],
          globalSetup,
          ...shared,
        },
      },
      { test: { name: 'statements', include: alone, globalSetup, ...timeouts } },
      { test: { name: 'hard', include: ['hard/**/*.test.ts'], globalSetup, ...shared } },
      { test: { name: 'ui', include: ['ui/**/*.test.{ts,tsx}'], ...shared } },
      { test: { name: 'console', include: ['console/src/**/*.test.{ts,tsx}'], ...shared } },
      { test: { name: 'me', include: ['me/**/*.test.ts'], ...shared } },
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], ...timeouts } },
      { test: { name: 'bench', include: ['bench/**/*.test.ts'], ...shared } },
      { test: { name: 'guards', include: ['guards/*.test.ts'], ...shared } },
    ],
  },
});
