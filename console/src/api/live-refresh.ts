import type { EventTopic } from '@meridian/contract/events';
import { inBackground } from './background.ts';
import { getPaused } from './pause.ts';
import { queryClient } from './query-client.ts';

/** At most one refresh in this time, however many events come. */
const GAP_MS = 2_500;
/** How often to look again while a refresh would get in the way. */
const WAIT_MS = 500;

/** The reads that a topic makes old, by the first words of their names. */
export const READS: Readonly<Record<EventTopic, RegExp>> = {
  posts: /^(post|userPosts|delivery|stats|failure|overview)/,
  users: /^(user|assignment|stats|overview|scheduleCheck)/,
  tickets: /^(ticket|assignment|scheduleCheck|overview)/,
  plans: /^plan/,
  currencies: /^currency/,
  settings: /^(settings|engine|overview)/,
  engine: /^(engine|delivery|overview)/,
  jobs: /^bulk/,
  audit: /^(audit|overview)/,
};

function readsOf(topic: string): RegExp | undefined {
  return Object.hasOwn(READS, topic) ? READS[topic as EventTopic] : undefined; // hasOwn has just said so
}

interface Refresher {
  /** Reads what is in sight of these topics again, soon; what is not in sight when it is opened. */
  add: (topics: readonly string[]) => void;
}

/** A page that is paused, or under a pressed pointer, a dialog or an open menu, stays as it is. */
function watchInput(signal: AbortSignal): () => boolean {
  let isPressed = false;
  const press = () => (isPressed = true);
  const release = () => (isPressed = false);
  window.addEventListener('pointerdown', press, { signal, capture: true });
  for (const name of ['pointerup', 'pointercancel', 'blur']) {
    window.addEventListener(name, release, { signal, capture: true });
  }
  return () =>
    isPressed || getPaused() || document.querySelector('dialog[open], :popover-open') !== null;
}

export function createRefresher(signal: AbortSignal): Refresher {
  const pending = new Set<RegExp>();
  const isInUse = watchInput(signal);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refreshedAt = -Infinity;
  signal.addEventListener('abort', () => clearTimeout(timer));

  function refresh() {
    timer = undefined;
    if (isInUse()) {
      timer = setTimeout(refresh, WAIT_MS);
      return;
    }
    refreshedAt = performance.now();
    const names = [...pending];
    pending.clear();
    inBackground(() => {
      void queryClient.invalidateQueries(
        {
          predicate: ({ queryKey: [name] }) => names.some((pattern) => pattern.test(String(name))),
        },
        // A read that is under way may be older than the change, but its successor is not far.
        { cancelRefetch: false },
      );
    });
  }

  return {
    add(topics) {
      for (const topic of topics) {
        const names = readsOf(topic);
        if (names !== undefined) pending.add(names);
      }
      if (pending.size === 0 || timer !== undefined || signal.aborted) return;
      timer = setTimeout(refresh, Math.max(0, refreshedAt + GAP_MS - performance.now()));
    },
  };
}
