import { ChevronDown, ChevronUp } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useLocation, useNavigate } from 'react-router';
import type { AnswerOf, Endpoint } from '@meridian/contract/endpoint';
import type { Cursors } from '@meridian/contract/fields';
import { Button } from '@meridian/ui/Button.tsx';
import type { CallArgs } from '@meridian/ui/api/call.ts';
import { endpointQuery, queryClient, useEndpointQuery } from '@meridian/ui/api/query.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { readPosition, writeParams } from '@meridian/ui/list/params.ts';
import { areSingleKeysOff } from './single-keys.ts';
import { lastAddressOf, recordSearch, subscribeVisits, wasOpenedFrom } from './visits.tsx';

const TYPING = 'input, textarea, select, [contenteditable], [role=menu]';
const STEPS = [
  { by: -1, key: 'k', label: 'Previous in the list', Icon: ChevronUp },
  { by: 1, key: 'j', label: 'Next in the list', Icon: ChevronDown },
] as const;
type Step = (typeof STEPS)[number];

interface ListPage {
  ids: readonly string[];
  cursors: Cursors | undefined;
}

export interface NeighbourList<E extends Endpoint> {
  path: string;
  pathOf: (id: string) => string;
  endpoint: E;
  argsAt: (search: URLSearchParams) => Pick<CallArgs<E>, 'query'>;
  pageOf: (answer: AnswerOf<E>) => ListPage;
}

/** To the previous and the next row of the list that this page was opened from, also by k and j. */
export function NeighbourLinks<E extends Endpoint>(props: { list: NeighbourList<E>; id: string }) {
  const { list, id } = props;
  const { key } = useLocation();
  const navigate = useNavigate();
  const isAnnounced = useIsMeridian();
  const isFromList = useSyncExternalStore(subscribeVisits, () => wasOpenedFrom(key, list.path));
  const isOffered = isAnnounced && isFromList;
  const search = new URLSearchParams(lastAddressOf(list.path).split('?')[1]);
  // As the list was seen: reading it again could move the row.
  const options = { enabled: isOffered, staleTimeMs: Infinity };
  const { data } = useEndpointQuery(list.endpoint, list.argsAt(search), options);
  const [seen, setSeen] = useState<ListPage>();
  const read = data && list.pageOf(data);
  // A change may have taken the row out of the list; its neighbors are still those it had.
  const page = read?.ids.includes(id) === true ? read : seen;
  if (page !== undefined && page.ids.join() !== seen?.ids.join()) setSeen(page);
  const index = page?.ids.indexOf(id) ?? -1;

  const cursorOf = ({ by }: Step) => (by > 0 ? page?.cursors?.next : page?.cursors?.previous);
  const leads = (step: Step) => page?.ids[index + step.by] !== undefined || Boolean(cursorOf(step));

  const readPage = (at: URLSearchParams) =>
    queryClient.fetchQuery(endpointQuery(list.endpoint, list.argsAt(at)));

  async function go(step: Step) {
    if (index < 0 || !leads(step)) return;
    const inPage = page?.ids[index + step.by];
    const at = inPage === undefined ? beside(search, step.by, cursorOf(step)) : search;
    const ids = inPage ?? list.pageOf(await readPage(at)).ids;
    const to = typeof ids === 'string' ? ids : ids.at(step.by > 0 ? 0 : -1);
    if (to === undefined) return;
    recordSearch({ pathname: list.path, search: at.size === 0 ? '' : `?${at}` });
    // In place of this entry, so that Back leads to the list.
    await navigate(list.pathOf(to), { replace: true });
  }

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (event.target instanceof Element && event.target.closest(TYPING) !== null) return;
      if (areSingleKeysOff() || document.querySelector('dialog[open]') !== null) return;
      const step = STEPS.find((one) => one.key === event.key);
      if (step !== undefined) void go(step).catch(() => {});
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  });

  if (!isOffered || index < 0) return null;
  return (
    <span data-print="hide" className="ms-auto flex gap-1">
      {STEPS.map((step) => (
        <Button
          key={step.key}
          variant="ghost"
          size="sm"
          square
          aria-label={step.label}
          aria-keyshortcuts={step.key}
          title={`${step.label} (${step.key})`}
          aria-disabled={!leads(step) || undefined}
          className={leads(step) ? undefined : 'opacity-50'}
          onClick={() => void go(step).catch(() => {})}
        >
          <step.Icon aria-hidden="true" />
        </Button>
      ))}
    </span>
  );
}

function beside(search: URLSearchParams, by: 1 | -1, cursor: string | null | undefined) {
  const page = Math.max(1, readPosition(search).page + by);
  return writeParams({}, search, {}, { page, cursor: cursor ?? undefined });
}
