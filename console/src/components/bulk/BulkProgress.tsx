import { bulkGet, bulkIsRunning } from '@meridian/contract/bulk';
import { failureList } from '@meridian/contract/failures';
import { postGet, postList, userPosts } from '@meridian/contract/posts';
import { statsGet } from '@meridian/contract/overview';
import { ticketGet, ticketList } from '@meridian/contract/tickets';
import { userGet, userList } from '@meridian/contract/users';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { paths } from '../../paths.ts';
import { AppLink } from '../navigation/AppLink.tsx';
import { bulkTitle } from './bulk-actions.ts';
import { ProgressBar, progressWords, settledOf } from './ProgressBar.tsx';
import { useBulkChanges } from './use-bulk-changes.ts';

/** What a change of many rows makes old. */
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

/** Changes that are running, in the corner of every page: after a reload they are read again. */
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
      {running.map((change) => (
        <div key={change.id} className="flex flex-col gap-1.5 text-sm">
          <AppLink to={paths.job(change.id)} className="rounded-sm font-medium hover:underline">
            {bulkTitle(change.action, change.value, change.total)}
          </AppLink>
          <ProgressBar
            change={change}
            label={bulkTitle(change.action, change.value, change.total)}
          />
          <span className="text-muted tabular-nums">{progressWords(change)}</span>
        </div>
      ))}
    </section>
  );
}
