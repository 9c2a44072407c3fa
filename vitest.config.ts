import { defineConfig } from 'vitest/config';

const NODE = 24;
if (Number.parseInt(process.versions.node, 10) < NODE) {
  throw new Error(`The tests need Node ${NODE}: run them with npm, which uses the pinned one.`);
}

// Generous: they bound what hangs, they do not measure.
const timeouts = {
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 90_000, interval: 10 } },
};

// Every file builds what it needs and none replaces a module, so a worker loads the sources once
// instead of once a file: half the processor time of the small tests, a fifth of the server's.
const shared = { isolate: false, ...timeouts };

export default defineConfig({
  test: {
    // The tests wait for PostgreSQL and for processes more than they compute.
    maxWorkers: 4,
    projects: [
      { test: { name: 'contract', include: ['contract/**/*.test.ts'], ...shared } },
      { test: { name: 'demo', include: ['demo/**/*.test.ts'], ...shared } },
      { test: { name: 'embedded', include: ['embedded/**/*.test.ts'], ...timeouts } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          ...shared,
        },
      },
      { test: { name: 'console', include: ['console/**/*.test.{ts,tsx}'], ...shared } },
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'], ...timeouts } },
      { test: { name: 'bench', include: ['bench/**/*.test.ts'], ...shared } },
      { test: { name: 'guards', include: ['guards/*.test.ts'], ...shared } },
    ],
  },
});
