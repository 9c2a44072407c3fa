import { Command } from 'cmdk';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { matchPath, useNavigate } from 'react-router';
import {
  FIND_PART_MIN_LENGTH,
  FIND_TEXT_MAX_LENGTH,
  findGet,
  type FindResult,
} from '@meridian/contract/find';
import { postGet } from '@meridian/contract/posts';
import { ticketGet } from '@meridian/contract/tickets';
import { userGet } from '@meridian/contract/users';
import { SafeText, truncateGraphemes } from '@meridian/ui/SafeText.tsx';
import { messageOf } from '@meridian/ui/api/errors.ts';
import {
  endpointQuery,
  getPaused,
  queryClient,
  togglePaused,
  useEndpointQuery,
} from '@meridian/ui/api/query.ts';
import { keepFocusInside } from '@meridian/ui/dialogs.tsx';
import { setTheme } from '@meridian/ui/theme.tsx';
import { showToast } from '@meridian/ui/toasts.ts';
import { paths, patterns } from '../paths.ts';
import { leave, NAV_ITEMS, OPERATIONS_ITEMS } from './navigation.tsx';
import { switchSingleKeys } from './single-keys.ts';
import { recentPaths } from './visits.tsx';

const PAUSE_MS = 150;
const FAILED = 'The search failed';
const GROUP_CLASS =
  'px-2 pb-2 **:[[cmdk-group-heading]]:px-2.5 **:[[cmdk-group-heading]]:py-1.5 **:[[cmdk-group-heading]]:text-xs **:[[cmdk-group-heading]]:font-medium **:[[cmdk-group-heading]]:text-muted';

/** Pages, actions, recent objects, and whatever a pasted text names. Mounted means open. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState('');
  const { groups, isSearching, error } = usePaletteGroups(text);
  const keys = groups.flatMap(({ items }) => items.map(({ key }) => key));
  const current = keys.includes(chosen) ? chosen : (keys[0] ?? '');

  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    input.current?.focus();
    return () => element?.close();
  }, []);

  // The library names the chosen line to screen readers only after a key has moved it.
  useLayoutEffect(() => {
    const line = dialog.current?.querySelector(`[data-value="${CSS.escape(current)}"]`);
    input.current?.setAttribute('aria-activedescendant', line?.id ?? '');
  });

  function choose(item: PaletteItem) {
    onClose();
    if ('to' in item) void navigate(item.to);
    else item.run();
  }

  return (
    // A click beside the box lands on the dialog itself; Escape does the same for the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={dialog}
      aria-label="Find anything"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onKeyDown={keepFocusInside}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className="mx-auto mt-[10dvh] mb-auto max-h-[80dvh] w-[38rem] max-w-[calc(100vw-2rem)] overflow-hidden rounded-lg border border-border bg-raised p-0 text-text shadow-pop backdrop:bg-overlay"
    >
      <Command
        label="Find anything"
        loop
        shouldFilter={false}
        value={current}
        onValueChange={setChosen}
        className="flex max-h-[80dvh] flex-col"
      >
        <Command.Input
          ref={input}
          value={text}
          onValueChange={(next) => {
            setText(next);
            setChosen('');
          }}
          maxLength={FIND_TEXT_MAX_LENGTH}
          placeholder="Find anything"
          className="h-12 w-full shrink-0 border-b border-border bg-transparent px-4 text-base -outline-offset-2"
        />
        <PaletteNotes text={text} isSearching={isSearching} count={keys.length} error={error} />
        <Command.List className="min-h-0 overflow-y-auto overscroll-contain pt-2">
          {groups.map((group) => (
            <Group key={group.heading} {...group} onChoose={choose} />
          ))}
          {keys.length === 0 && (
            <Command.Item disabled className="px-4 pt-1 pb-4 text-sm text-muted">
              {isSearching ? 'Searching...' : 'Nothing found'}
            </Command.Item>
          )}
        </Command.List>
      </Command>
    </dialog>
  );
}

/** The lines for a text, and the search that may still add to them. */
function usePaletteGroups(text: string) {
  const [recent] = useState(recentItems);
  const [asked, setAsked] = useState('');
  const words = text.trim();
  const isLongEnough = words.length >= FIND_PART_MIN_LENGTH;
  const isAsked = asked === words && isLongEnough;
  const found = useEndpointQuery(findGet, { query: { q: asked } }, { enabled: isAsked });

  useEffect(() => {
    const timer = setTimeout(setAsked, PAUSE_MS, words);
    return () => clearTimeout(timer);
  }, [words]);

  const isNamed = ({ title, keywords = [] }: PaletteItem) =>
    [title, ...keywords].some((word) => word.toLowerCase().includes(words.toLowerCase()));
  const groups = [
    { heading: 'Found', items: (isAsked && found.data?.results.map(itemOf)) || [] },
    { heading: 'Recent', items: text === '' ? recent : [] },
    { heading: 'Pages', items: PAGES.filter(isNamed) },
    { heading: 'Actions', items: ACTIONS.filter(isNamed) },
  ].filter(({ items }) => items.length > 0);
  return {
    groups,
    // From the key on that makes the text long enough: nothing is known before the search has ended.
    isSearching: isLongEnough && (!isAsked || found.isFetching),
    error: isAsked ? found.error : null,
  };
}

interface PaletteNotesProps {
  text: string;
  isSearching: boolean;
  count: number;
  error: unknown;
}

/** Beside the list: a listbox holds options and nothing else. */
function PaletteNotes({ text, isSearching, count, error }: PaletteNotesProps) {
  const results = count === 1 ? '1 result' : `${count} results`;
  return (
    <>
      {text === '' && (
        <p className="px-4 pt-3 text-sm text-muted">
          By name, handle, DID, address, ID or ticket code.
        </p>
      )}
      {error !== null && (
        <p role="alert" className="px-4 pt-3 text-sm text-danger">
          <SafeText>{messageOf(error, FAILED)}</SafeText>
        </p>
      )}
      {isSearching && count > 0 && (
        <output className="px-4 pt-3 text-sm text-muted">Searching...</output>
      )}
      {/* An option that cannot be chosen is not read out, nor how many there are. */}
      <output className="sr-only">
        {text.trim() !== '' && !isSearching && (count === 0 ? 'No results' : results)}
      </output>
    </>
  );
}

interface GroupProps {
  heading: string;
  items: readonly PaletteItem[];
  onChoose: (item: PaletteItem) => void;
}

function Group({ heading, items, onChoose }: GroupProps) {
  return (
    <Command.Group heading={heading} className={GROUP_CLASS}>
      {items.map((item) => (
        <Command.Item
          key={item.key}
          value={item.key}
          onSelect={() => onChoose(item)}
          className="flex min-h-9 cursor-pointer gap-x-3 rounded px-2.5 py-1.5 text-base -outline-offset-2 outline-accent data-[selected=true]:bg-sunken data-[selected=true]:outline-2 max-sm:flex-col sm:items-baseline coarse:min-h-11"
        >
          <span dir="auto" className="min-w-0 truncate">
            <SafeText>{item.title}</SafeText>
          </span>
          {item.detail !== undefined && (
            <span className="shrink-0 truncate text-sm text-muted sm:ms-auto sm:max-w-1/2">
              <SafeText>{item.detail}</SafeText>
            </span>
          )}
        </Command.Item>
      ))}
    </Command.Group>
  );
}

type PaletteItem = {
  key: string;
  title: string;
  detail?: string;
  keywords?: string[];
} & ({ to: string } | { run: () => void });

const PAGES: readonly PaletteItem[] = [...NAV_ITEMS, ...OPERATIONS_ITEMS].map(({ label, to }) => ({
  key: to,
  title: label,
  to,
}));

const ACTIONS: readonly PaletteItem[] = [
  { key: 'ticket', title: 'Issue New Ticket', to: paths.ticketIssue },
  { key: 'plan', title: 'Create New Plan', to: paths.planCreate },
  { key: 'currency', title: 'Add New Currency', to: paths.currencyCreate },
  {
    key: 'suspend',
    title: 'Suspend or resume the service…',
    keywords: ['stop', 'closed beta', 'incident'],
    to: paths.settings,
  },
  { key: 'password', title: 'Change Password', to: paths.password },
  { key: 'light', title: 'Theme: Light', run: () => setTheme('light') },
  { key: 'dark', title: 'Theme: Dark', run: () => setTheme('dark') },
  { key: 'system', title: 'Theme: System', run: () => setTheme('system') },
  {
    key: 'updates',
    title: 'Pause or resume updates',
    keywords: ['live', 'refresh'],
    run: switchUpdates,
  },
  {
    key: 'keys',
    title: 'Single-key shortcuts on or off',
    detail: '/ j k',
    keywords: ['keyboard'],
    run: switchSingleKeys,
  },
  { key: 'logout', title: 'Logout', run: () => void leave() },
];

function switchUpdates(): void {
  togglePaused();
  showToast({ message: getPaused() ? 'Updates are paused' : 'Updates are on', tone: 'green' });
}

const KINDS = {
  user: { label: 'User', pathOf: paths.user },
  post: { label: 'Post', pathOf: paths.post },
  ticket: { label: 'Ticket', pathOf: paths.ticket },
  plan: { label: 'Plan', pathOf: paths.planEdit },
} satisfies Record<FindResult['kind'], unknown>;

function itemOf({ kind, id, title, detail }: FindResult): PaletteItem {
  const { label, pathOf } = KINDS[kind];
  return {
    key: `${kind} ${id}`,
    title: title || 'Without text',
    detail: `${label} · ${detail}`,
    to: pathOf(id),
  };
}

const idIn = (pattern: string, path: string) =>
  Object.values(matchPath(pattern, path)?.params ?? {})[0] ?? '';

/** The objects opened during this visit, the latest first, as far as they are still in the cache. */
function recentItems(): PaletteItem[] {
  return recentPaths().flatMap((path) => {
    const found = userAt(path) ?? postAt(path) ?? ticketAt(path);
    return found === undefined ? [] : [itemOf(found)];
  });
}

function userAt(path: string): FindResult | undefined {
  const id = idIn(patterns.user, path);
  const found = queryClient.getQueryData(endpointQuery(userGet, { params: { id } }).queryKey);
  if (found === undefined) return undefined;
  const { handle, display_name: name } = found.user;
  return { kind: 'user', id, title: name || handle, detail: `@${handle}` };
}

function postAt(path: string): FindResult | undefined {
  const id = idIn(patterns.post, path);
  const found = queryClient.getQueryData(endpointQuery(postGet, { params: { id } }).queryKey);
  if (found === undefined) return undefined;
  const { content, status } = found.post;
  return { kind: 'post', id, title: truncateGraphemes(content, 80), detail: status };
}

function ticketAt(path: string): FindResult | undefined {
  const id = idIn(patterns.ticket, path);
  const found = queryClient.getQueryData(endpointQuery(ticketGet, { params: { id } }).queryKey);
  return found && { kind: 'ticket', id, title: found.ticket.code, detail: found.ticket.plan.name };
}
