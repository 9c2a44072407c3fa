import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type BulkChange, bulkGet, bulkIsRunning, bulkList } from '@meridian/contract/bulk';
import type { AnswerOf } from '@meridian/contract/endpoint';
import { failureList } from '@meridian/contract/failures';
import { statsGet } from '@meridian/contract/overview';
import { postGet, postList, userPosts } from '@meridian/contract/posts';
import { ticketGet, ticketList } from '@meridian/contract/tickets';
import { userGet, userList } from '@meridian/contract/users';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { formatNumber } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { paths } from '../paths.ts';
import { bulkTitle } from './bulk-actions.ts';

const READS = [
  postList,
  postGet,
  userPosts,
  failureList,
  userList,
  userGet,
  ticketList,
  ticketGet,
  statsGet,
];

export function BulkProgress() {
  const client = useQueryClient();
  const running = (useBulkChanges().data?.changes ?? []).filter(bulkIsRunning);
  const settled = running.map((change) => `${change.id} ${settledOf(change)}`).join(' ');
  // Rows change on the server: what is on screen is read again as they do, and after the last.
  useEffect(() => {
    if (settled === '') return undefined;
    return () => {
      for (const { name } of [...READS, bulkGet]) {
        void client.invalidateQueries({ queryKey: [name] });
      }
    };
  }, [settled, client]);

  if (running.length === 0) return null;
  return (
    <section
      aria-label="Running changes"
      data-print="hide"
      className="fixed end-4 bottom-16 z-10 flex w-64 max-w-[calc(100vw-2rem)] flex-col gap-3 rounded-lg border border-border bg-raised p-3 shadow-pop"
    >
      {running.map((change) => {
        const title = bulkTitle(change.action, change.value, change.total);
        return (
          <div key={change.id} className="flex flex-col gap-1.5 text-sm">
            <AppLink to={paths.job(change.id)} className="rounded-sm font-medium hover:underline">
              {title}
            </AppLink>
            <ProgressBar change={change} label={title} />
            <span className="text-muted tabular-nums">{progressWords(change)}</span>
          </div>
        );
      })}
    </section>
  );
}

type Figures = Pick<BulkChange, 'total' | 'done' | 'failed' | 'skipped'>;

export function settledOf({ done, failed, skipped }: Figures): number {
  return done + failed + skipped;
}

/** '300 of 1,204, 4 skipped' */
export function progressWords(change: Figures): string {
  const { total, skipped, failed } = change;
  const words = [`${formatNumber(settledOf(change))} of ${formatNumber(total)}`];
  if (skipped > 0) words.push(`${formatNumber(skipped)} skipped`);
  if (failed > 0) words.push(`${formatNumber(failed)} failed`);
  return words.join(', ');
}

export function ProgressBar({ change, label }: { change: Figures; label: string }) {
  return (
    <progress
      aria-label={label}
      max={change.total}
      value={settledOf(change)}
      className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-sunken accent-(--accent) [&::-moz-progress-bar]:bg-(--accent) [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-(--accent) [&::-webkit-progress-value]:transition-[inline-size]"
    />
  );
}

const RUNNING_MS = 1_000;
/** A change that another administrator starts is seen after this at the latest. */
const QUIET_MS = 30_000;

const pollMs = (answer: AnswerOf<typeof bulkList> | undefined) =>
  answer?.changes.some(bulkIsRunning) === true ? RUNNING_MS : QUIET_MS;

export function useBulkChanges() {
  const enabled = useIsMeridian();
  return useEndpointQuery(bulkList, {}, { enabled, isProgress: true, pollMs });
}
