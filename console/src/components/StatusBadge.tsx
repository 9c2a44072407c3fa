import { Badge } from '../ui/Badge.tsx';
import { SafeText } from '../ui/SafeText.tsx';
import { statusLabel } from './status-label.ts';
import { STATUS_TONES } from './status-tones.ts';

/** A status of a user, post, ticket, assignment, plan or currency. An unknown status stays gray. */
export function StatusBadge({ status }: { status: string }) {
  const tone = STATUS_TONES[status];
  const label = statusLabel(status);
  const isForeign = tone === undefined && label !== '';
  return <Badge tone={tone ?? 'gray'}>{isForeign ? <SafeText>{label}</SafeText> : label}</Badge>;
}
