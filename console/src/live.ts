import type { EventTopic } from '@meridian/contract/events';
import { inBackground } from '@meridian/ui/api/call.ts';
import type { Refresher } from '@meridian/ui/api/live.ts';
import { getPaused, queryClient } from '@meridian/ui/api/query.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { useLater } from '@meridian/ui/hooks.ts';
import { useEffect } from 'react';
import { getSession } from './session.tsx';

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

function createRefresher(signal: AbortSignal): Refresher {
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

function eventIdOfPage(): string | undefined {
  const session = getSession();
  return session.phase === 'signed-in' ? session.admin.eventId : undefined;
}

/** Keeps what is in sight up to date, where the server says what has changed. */
export function useLive(): void {
  const isDue = useLater(useIsMeridian());
  // A connection is no part of any component.
  useEffect(() => {
    if (!isDue) return undefined;
    const stopped = new AbortController();
    import('@meridian/ui/api/live.ts').then(
      ({ runLive }) => runLive(createRefresher(stopped.signal), stopped.signal, eventIdOfPage()),
      () => {
        // Without the code nothing is refreshed; the next page load tries again.
      },
    );
    return () => stopped.abort();
  }, [isDue]);
}
