import type { FindResult } from '@meridian/contract/find';
import { getPaused, togglePaused } from '../../api/pause.ts';
import { logout } from '../../auth/session.ts';
import { paths } from '../../paths.ts';
import { setTheme } from '../../theme/theme.ts';
import { showToast } from '../../ui/toast-store.ts';
import { mayLeave } from '../form/unsaved-changes.ts';
import { NAV_ITEMS, OPERATIONS_ITEMS } from '../shell/nav-items.ts';
import { switchSingleKeys } from '../switch-single-keys.ts';

/** One line of the palette: it leads to an address, or does something. */
export type PaletteItem = {
  /** Unlike that of every other line. */
  key: string;
  title: string;
  detail?: string;
  keywords?: string[];
} & ({ to: string } | { run: () => void });

export const PAGES: readonly PaletteItem[] = [...NAV_ITEMS, ...OPERATIONS_ITEMS].map(
  ({ label, to }) => ({ key: to, title: label, to }),
);

export const ACTIONS: readonly PaletteItem[] = [
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

async function leave(): Promise<void> {
  if (await mayLeave()) logout();
}

const PATH_OF: Readonly<Record<FindResult['kind'], (id: string) => string>> = {
  user: paths.user,
  post: paths.post,
  ticket: paths.ticket,
  plan: paths.planEdit,
};
const KIND_LABELS: Readonly<Record<FindResult['kind'], string>> = {
  user: 'User',
  post: 'Post',
  ticket: 'Ticket',
  plan: 'Plan',
};

export function itemOf({ kind, id, title, detail }: FindResult): PaletteItem {
  return {
    key: `${kind} ${id}`,
    title: title || 'Without text',
    detail: `${KIND_LABELS[kind]} · ${detail}`,
    to: PATH_OF[kind](id),
  };
}
