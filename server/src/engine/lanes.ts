import { createLane } from './lane.ts';
import type { Entry, Lane, LaneLimits } from './lane.ts';

export type LanesOptions = {
  concurrency: number;
  limitsOf: (host: string) => LaneLimits;
  now: () => number;
};

/** One lane per host; together they make no more calls at once than the process may. */
export function createLanes({ concurrency, limitsOf, now }: LanesOptions) {
  const lanes = new Map<string, Lane>();
  const changed = new Set<string>();
  let free = concurrency;

  const slots = {
    take(): boolean {
      if (free === 0) return false;
      free -= 1;
      return true;
    },
    free(): void {
      free += 1;
      // The lane itself goes on after this; others may wait for a slot as well.
      setImmediate(pumpOthers);
    },
  };

  function pumpOthers(): void {
    for (const lane of lanes.values()) {
      if (free === 0) return;
      if (lane.isWaiting()) lane.pump();
    }
  }

  function laneOf(host: string): Lane {
    let lane = lanes.get(host);
    if (lane === undefined) {
      lane = createLane({
        host,
        limits: limitsOf(host),
        now,
        slots,
        onChange: () => changed.add(host),
      });
      lanes.set(host, lane);
    }
    return lane;
  }

  return {
    enter: (host: string, did: string): Promise<Entry> => laneOf(host).enter(did),
    /** The hosts that were called or whose state changed since the last call of this. */
    takeChanges() {
      const hosts = [...changed].map((host) => laneOf(host).view());
      changed.clear();
      return hosts;
    },
    close(): void {
      for (const lane of lanes.values()) lane.close();
    },
  };
}

export type Lanes = ReturnType<typeof createLanes>;
