import { Badge } from '../ui/Badge.tsx';
import { statusLabel } from './status-label.ts';
import { STATUS_TONES } from './status-tones.ts';

/** A status of a user, post, ticket, assignment, plan or currency. An unknown status stays gray. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={STATUS_TONES[status] ?? 'gray'}>{statusLabel(status)}</Badge>;
}
