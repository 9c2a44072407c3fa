import {
  Calendar,
  Cog,
  Layers,
  LayoutGrid,
  ListChecks,
  type LucideIcon,
  ScrollText,
  Settings,
  Ticket,
  TriangleAlert,
  Users,
} from 'lucide-react';
import { paths } from '../../paths.ts';

export interface NavEntry {
  label: string;
  to: string;
  Icon: LucideIcon;
}

export const NAV_ITEMS: readonly NavEntry[] = [
  { label: 'Dashboard', to: paths.dashboard, Icon: LayoutGrid },
  { label: 'Users', to: paths.users, Icon: Users },
  { label: 'Posts', to: paths.posts, Icon: Calendar },
  { label: 'Tickets', to: paths.tickets, Icon: Ticket },
  { label: 'Plans', to: paths.plans, Icon: Layers },
  { label: 'Service Settings', to: paths.settings, Icon: Settings },
];

/** Beyond the specification: pages of Meridian alone. */
export const OPERATIONS_ITEMS: readonly NavEntry[] = [
  { label: 'Engine', to: paths.engine, Icon: Cog },
  { label: 'Failures', to: paths.failures, Icon: TriangleAlert },
  { label: 'Audit Log', to: paths.audit, Icon: ScrollText },
  { label: 'Jobs', to: paths.jobs, Icon: ListChecks },
];

/** The page itself, or one below it. The dashboard is below nothing. */
export function isUnder(pathname: string, to: string): boolean {
  return pathname === to || (to !== '/' && pathname.startsWith(`${to}/`));
}
