import { defineConfig } from 'vitest/config';

const NODE = 24;
if (Number.parseInt(process.versions.node, 10) < NODE) {
  throw new Error(`The tests need Node ${NODE}: run them with npm, which uses the pinned one.`);
}

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'contract', include: ['contract/**/*.test.ts'] } },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts'],
          globalSetup: ['server/test/global-setup.ts'],
          // Generous: they bound what hangs, they do not measure.
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      { test: { name: 'console', include: ['console/**/*.test.{ts,tsx}'] } },
      { test: { name: 'guards', include: ['guards/*.test.ts'] } },
    ],
  },
});
