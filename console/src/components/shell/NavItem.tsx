import { useLocation, useNavigation } from 'react-router';
import { cx } from '../../ui/cx.ts';
import { AppLink } from '../navigation/AppLink.tsx';
import { isUnder, type NavEntry } from './nav-items.ts';

interface NavItemProps extends NavEntry {
  onNavigate?: (() => void) | undefined;
}

export function NavItem({ label, to, Icon, onNavigate }: NavItemProps) {
  const location = useLocation();
  const { location: next } = useNavigation();
  const isCurrent = isUnder(location.pathname, to);
  // A press is answered at once, even while the page is still on its way.
  const isMarked = isUnder((next ?? location).pathname, to);
  return (
    <li>
      <AppLink
        to={to}
        aria-current={isCurrent ? 'page' : undefined}
        onClick={onNavigate}
        className={cx(
          'flex h-9 items-center gap-3 rounded border px-2.5 text-base font-medium transition-colors coarse:h-11',
          isMarked
            ? 'border-border bg-surface text-text shadow-card dark:border-transparent dark:bg-sunken'
            : 'border-transparent text-muted hover:bg-hover hover:text-text',
        )}
      >
        <Icon aria-hidden="true" className={cx('size-4 shrink-0', isMarked && 'text-accent')} />
        {label}
      </AppLink>
    </li>
  );
}
