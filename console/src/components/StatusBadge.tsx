import { postStatusOf } from '@meridian/contract/posts';
import { Badge } from '../ui/Badge.tsx';
import { SafeText } from '../ui/SafeText.tsx';
import { statusLabel } from './status-label.ts';
import { STATUS_TONES } from './status-tones.ts';

/** A status of a user, post, ticket, assignment, plan or currency. An unknown status stays gray. */
export function StatusBadge({ status }: { status: string }) {
  const known = postStatusOf(status);
  return (
    <Badge tone={STATUS_TONES[known] ?? 'gray'}>
      {status === '' ? '' : <SafeText>{statusLabel(known)}</SafeText>}
    </Badge>
  );
}
