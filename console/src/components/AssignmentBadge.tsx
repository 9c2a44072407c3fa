import { Badge } from '../ui/Badge.tsx';
import type { Tone } from '../ui/tone.ts';
import { statusLabel } from './status-label.ts';

const TONES: Readonly<Record<string, Tone>> = { ACTIVE: 'green', EXPIRED: 'gray' };

/** The status of a plan assignment: what is neither active nor run out asks for a second look. */
export function AssignmentBadge({ status }: { status: string }) {
  return <Badge tone={TONES[status] ?? 'amber'}>{statusLabel(status)}</Badge>;
}
