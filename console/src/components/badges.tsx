import { Badge, type Tone } from '@meridian/ui/Badge.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';

/** A status of a user, post, ticket, assignment, plan or currency. An unknown status stays gray. */
export function StatusBadge({ status }: { status: string }) {
  const tone = STATUS_TONES[status];
  const label = statusLabel(status);
  const isForeign = tone === undefined && label !== '';
  return <Badge tone={tone ?? 'gray'}>{isForeign ? <SafeText>{label}</SafeText> : label}</Badge>;
}

const KNOWN = new Set(
  (
    'ACTIVE RESTRICTED SUSPENDED BLOCKED PENDING PROCESSING EXECUTING COMPLETED FAILED ' +
    'CANCELLED UNUSED EXPIRED REVOKED INACTIVE VISIBLE HIDDEN'
  ).split(' '),
);

/** 'ACTIVE' -> 'Active'. An unknown word is shown as it is. */
export function statusLabel(status: string): string {
  return KNOWN.has(status) ? `${status.charAt(0)}${status.slice(1).toLowerCase()}` : status;
}

/** One status, one color, on badges and in charts alike. A status not named here is gray. */
export const STATUS_TONES: Readonly<Record<string, Tone>> = {
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
  CANCELLED: 'gray',
  EXPIRED: 'gray',
};

const TONES: Readonly<Record<string, Tone>> = {
  FREE: 'gray',
  BASIC: 'blue',
  PREMIUM: 'violet',
  ENTERPRISE: 'amber',
};

export function TierBadge({ tier }: { tier: string }) {
  return <Badge tone={TONES[tier] ?? 'gray'}>{tier}</Badge>;
}

const ASSIGNMENT_TONES: Readonly<Record<string, Tone>> = { ACTIVE: 'green', EXPIRED: 'gray' };

export function AssignmentBadge({ status }: { status: string }) {
  return <Badge tone={ASSIGNMENT_TONES[status] ?? 'amber'}>{statusLabel(status)}</Badge>;
}

const STATES: Readonly<Record<string, { tone: Tone; label: string }>> = {
  RUNNING: { tone: 'violet', label: 'Running' },
  STOPPING: { tone: 'amber', label: 'Stopping' },
  STOPPED: { tone: 'orange', label: 'Stopped' },
  DONE: { tone: 'green', label: 'Done' },
};

export function JobBadge({ state }: { state: string }) {
  const { tone, label } = STATES[state] ?? { tone: 'gray', label: state };
  return <Badge tone={tone}>{label}</Badge>;
}
