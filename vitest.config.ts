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

export default defineConfig({
  test: {
    // The tests wait for PostgreSQL and for processes more than they compute.
    maxWorkers: 4,
    projects: [
      { test: { name: 'contract', include: ['contract/**/*.test.ts'] } },
      { test: { name: 'demo', include: ['demo/**/*.test.ts'], ...timeouts } },
      { test: { name: 'embedded', include: ['embedded/**/*.test.ts'], ...timeouts } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          // Every file builds its own app on its own database and none replaces a module, so a worker
          // loads the server once instead of once a file: a fifth of the processor time.
          isolate: false,
          ...timeouts,
        },
      },
      { test: { name: 'console', include: ['console/**/*.test.{ts,tsx}'] } },
      { test: { name: 'scripts', include: ['scripts/**/*.test.mjs'] } },
      { test: { name: 'bench', include: ['bench/**/*.test.ts'] } },
      { test: { name: 'guards', include: ['guards/*.test.ts'] } },
    ],
  },
});
