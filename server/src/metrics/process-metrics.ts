import { single } from './exposition.ts';
import type { Family } from './exposition.ts';
import { createHistogram } from './series.ts';

const BEAT_MS = 100;
const DELAY_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

export type ProcessMetrics = { families(): Family[]; stop(): void };

/** What the process costs, and how late its event loop is. */
export function measureProcess(version: string): ProcessMetrics {
  const delays = createHistogram(
    'meridian_event_loop_delay_seconds',
    `How much later than planned a timer of ${BEAT_MS} ms fired.`,
    DELAY_BOUNDS,
  );
  let planned = performance.now() + BEAT_MS;
  const beat = setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - planned) / 1000);
    planned = now + BEAT_MS;
  }, BEAT_MS).unref();

  return {
    families() {
      const { rss, heapUsed } = process.memoryUsage();
      const { user, system } = process.cpuUsage();
      const startedAt = (performance.timeOrigin / 1000).toFixed(0);
      return [
        {
          name: 'meridian_build_info',
          kind: 'gauge',
          help: 'Always 1; the labels say what runs.',
          samples: [{ value: 1, labels: { version, node: process.versions.node } }],
        },
        delays.family(),
        single('counter', 'process_cpu_seconds_total', 'Processor time.', (user + system) / 1e6),
        single('gauge', 'process_resident_memory_bytes', 'Memory held.', rss),
        single('gauge', 'nodejs_heap_size_used_bytes', 'Memory of live objects.', heapUsed),
        single(
          'gauge',
          'process_start_time_seconds',
          'When it started, as Unix time.',
          Number(startedAt),
        ),
      ];
    },
    stop: () => clearInterval(beat),
  };
}
