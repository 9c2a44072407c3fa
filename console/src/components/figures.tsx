import type { ReactNode } from 'react';
import type { CauseOwner } from '@meridian/contract/cause-words';
import { clockDistance, ENGINE_COUNT_MAX, engineGet } from '@meridian/contract/engine';
import type { Overview } from '@meridian/contract/overview';
import type { PostFilter } from '@meridian/contract/posts';
import { Badge, type Tone } from '@meridian/ui/Badge.tsx';
import { Card } from '@meridian/ui/Card.tsx';
import { useEndpointQuery } from '@meridian/ui/api/query.ts';
import { useIsMeridian } from '@meridian/ui/api/session.ts';
import { formatDateTime, formatNumber, NOTHING } from '@meridian/ui/format.ts';
import { AppLink } from '@meridian/ui/links.tsx';
import { Skeleton } from '@meridian/ui/placeholders.tsx';
import { paths, withSearch } from '../paths.ts';

export interface FigureProps {
  title: string;
  to?: string | undefined;
  below: string | undefined;
  /** Undefined until it is known: never a false zero. */
  children: ReactNode | undefined;
  parts?: ReactNode;
  level?: 2 | 3 | undefined;
}

export function Figure({ title, to, below, children, parts, level = 2 }: FigureProps) {
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <Card
      as={level === 2 ? 'article' : 'li'}
      className="relative p-5 transition-colors has-[h2_a,h3_a]:hover:border-border-strong"
    >
      <Heading className="text-base leading-6 font-medium text-muted">
        {to === undefined ? (
          title
        ) : (
          <AppLink to={to} className="rounded-sm after:absolute after:inset-0 after:rounded-lg">
            {title}
          </AppLink>
        )}
      </Heading>
      <div className="mt-1 flex h-9 items-center text-2xl font-semibold tabular-nums">
        {children ?? <Skeleton width="6rem" />}
      </div>
      <p className="mt-0.5 text-sm text-muted">{below ?? <Skeleton width="8rem" />}</p>
      {parts}
    </Card>
  );
}

interface CountLinkProps {
  to: string | undefined;
  /** Needed where the words of the link are the number alone. */
  label?: string | undefined;
  children: ReactNode;
}

/** A number that leads to the list behind it, where there is one. Above a link around it. */
export function CountLink({ to, label, children }: CountLinkProps) {
  if (to === undefined) return children;
  return (
    <AppLink
      to={to}
      aria-label={label}
      className="relative z-1 rounded-sm text-accent-text tabular-nums underline after:absolute after:-inset-x-2.5 after:-inset-y-1.5"
    >
      {children}
    </AppLink>
  );
}

export const OWNER_LABELS: Record<CauseOwner, { label: string; tone: Tone }> = {
  person: { label: 'Person', tone: 'blue' },
  network: { label: 'Network', tone: 'amber' },
  us: { label: 'Us', tone: 'red' },
};

export type PostListFilter = Partial<Record<keyof PostFilter | 'status' | 'order', string>>;

/** The address of a filtered list of posts, for pages that only Meridian has. */
export const postListAt = (filter: PostListFilter) => withSearch(paths.posts, filter);

/** '1,204', or '100,000+' where the server stopped counting. */
export const countWithCeiling = (count: number, ceiling: number = ENGINE_COUNT_MAX) =>
  formatNumber(count) + (count >= ceiling ? '+' : '');

/** '1 post', '1,204 posts' */
export const postsText = (count: number) =>
  `${countWithCeiling(count)} ${count === 1 ? 'post' : 'posts'}`;

/** The sentence for a worker that publishes nothing because its clock is wrong. */
export const clockSentence = (offMs: number) =>
  `Its clock is ${clockDistance(offMs)} the database's. Set the clock, and it goes on by itself.`;

const at = (time: string | null) => (time === null ? NOTHING : formatDateTime(new Date(time)));

export function conditionOf(state: Omit<Overview['engine'], 'lastMinute'>) {
  const { isSuspended, suspendedAt, isAlive, isExpected, lastSeenAt, network } = state;
  if (isSuspended) return condition('orange', 'Suspended', `Since ${at(suspendedAt)}`);
  if (isAlive) return condition('green', 'Running', `To the ${network} network`);
  if (!isExpected) return condition('gray', 'Off', 'Nothing is published from here');
  const seen = lastSeenAt === null ? 'No worker has ever run' : `Last seen ${at(lastSeenAt)}`;
  return condition('red', 'Not running', seen);
}

const condition = (tone: Tone, word: string, below: string) => ({
  badge: <Badge tone={tone}>{word}</Badge>,
  below,
});

const POLL_MS = 10_000;

export function useEngine() {
  const enabled = useIsMeridian();
  return useEndpointQuery(engineGet, {}, { enabled, pollMs: POLL_MS });
}
