import { Badge } from '../ui/Badge.tsx';
import type { Tone } from '../ui/tone.ts';

const TONES: Readonly<Record<string, Tone>> = {
  FREE: 'gray',
  BASIC: 'blue',
  PREMIUM: 'violet',
  ENTERPRISE: 'amber',
};

export function TierBadge({ tier }: { tier: string }) {
  return <Badge tone={TONES[tier] ?? 'gray'}>{tier}</Badge>;
}
