import type { Overview } from '@meridian/contract/overview';
import { Badge } from '../../ui/Badge.tsx';
import { formatDateTime } from '../../ui/format-time.ts';
import { NOTHING } from '../../ui/nothing.ts';

const at = (time: string | null) => (time === null ? NOTHING : formatDateTime(new Date(time)));

/** Whether the engine publishes, as a badge and a line below it. */
export function conditionOf(state: Omit<Overview['engine'], 'lastMinute'>) {
  const { isSuspended, suspendedAt, isAlive, isExpected, lastSeenAt, network } = state;
  if (isSuspended)
    return { badge: <Badge tone="orange">Suspended</Badge>, below: `Since ${at(suspendedAt)}` };
  if (isAlive)
    return {
      badge: <Badge tone="green">Running</Badge>,
      below: `To the ${network} network`,
    };
  if (!isExpected)
    return { badge: <Badge tone="gray">Off</Badge>, below: 'Nothing is published from here' };
  const below = lastSeenAt === null ? 'No worker has ever run' : `Last seen ${at(lastSeenAt)}`;
  return { badge: <Badge tone="red">Not running</Badge>, below };
}
