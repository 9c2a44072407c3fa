import { ChevronLeft } from 'lucide-react';
import { type MouseEvent, useEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigate, useNavigationType } from 'react-router';
import { LinkButton } from '@meridian/ui/links.tsx';

/** Back to the very list: its filters, its page and, when it is one step back, its scroll position. */
export function BackLink({ to, children }: { to: string; children: string }) {
  const location = useLocation();
  const navigate = useNavigate();
  function goBack(event: MouseEvent) {
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (!isPlain || !wasOpenedFrom(location.key, to)) return;
    event.preventDefault();
    void navigate(-1);
  }
  return (
    <LinkButton
      to={lastAddressOf(to)}
      variant="ghost"
      size="sm"
      icon={<ChevronLeft aria-hidden="true" className="size-4" />}
      onClick={goBack}
    >
      {children}
    </LinkButton>
  );
}

/** The address each history entry of this visit was opened from, by the entry's key. */
const openedFrom = new Map<string, string>();
const listeners = new Set<() => void>();
const recent = new Set<string>();
const RECENT_MAX = 30;
const lastSearch = new Map<string, string>();

interface Visit {
  key: string;
  pathname: string;
  search: string;
}

/** Called for every navigation that adds an entry. */
export function recordVisit(from: Visit, to: Visit): void {
  openedFrom.set(to.key, from.pathname);
  for (const listener of listeners) listener();
}

/** The listener is told of every entry whose origin becomes known, after it is first drawn. */
export function subscribeVisits(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Called for every navigation that replaces an entry: the new one has the same entry before it. */
export function inheritVisit(from: Visit, to: Visit): void {
  const origin = openedFrom.get(from.key);
  if (origin !== undefined) recordVisit({ ...from, pathname: origin }, to);
}

export function recordSearch({ pathname, search }: Pick<Visit, 'pathname' | 'search'>): void {
  lastSearch.set(pathname, search);
  recent.delete(pathname);
  recent.add(pathname);
  const [oldest] = recent;
  if (recent.size > RECENT_MAX && oldest !== undefined) recent.delete(oldest);
}

export const recentPaths = () => [...recent].toReversed();

export const wasOpenedFrom = (key: string, pathname: string) => openedFrom.get(key) === pathname;

export const lastAddressOf = (pathname: string) => `${pathname}${lastSearch.get(pathname) ?? ''}`;

export function forgetVisits(): void {
  openedFrom.clear();
  lastSearch.clear();
  recent.clear();
}

export function useVisits(): void {
  const location = useLocation();
  const type = useNavigationType();
  const previous = useRef(location);

  useEffect(() => {
    if (previous.current.key !== location.key) {
      if (type === NavigationType.Push) recordVisit(previous.current, location);
      if (type === NavigationType.Replace) inheritVisit(previous.current, location);
    }
    recordSearch(location);
    previous.current = location;
  }, [location, type]);
}
