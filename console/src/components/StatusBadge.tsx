import { Badge } from '../ui/Badge.tsx';
import type { Tone } from '../ui/tone.ts';
import { statusLabel } from './status-label.ts';

const TONES: Readonly<Record<string, Tone>> = {
  ACTIVE: 'green',
  COMPLETED: 'green',
  VISIBLE: 'green',
  PENDING: 'blue',
  UNUSED: 'blue',
  RESTRICTED: 'amber',
  PROCESSING: 'violet',
  SUSPENDED: 'orange',
  BLOCKED: 'red',
  FAILED: 'red',
  REVOKED: 'red',
};

/** A status of a user, post, ticket, assignment, plan or currency. A word nobody knows stays gray. */
export function StatusBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'gray'}>{statusLabel(status)}</Badge>;
}
