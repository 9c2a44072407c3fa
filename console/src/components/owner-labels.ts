import type { CauseOwner } from '@meridian/contract/cause-words';
import type { Tone } from '../ui/tone.ts';

/** Who can remove the cause of a failure, in the words of the console. */
export const OWNER_LABELS: Record<CauseOwner, { label: string; tone: Tone }> = {
  person: { label: 'Person', tone: 'blue' },
  network: { label: 'Network', tone: 'amber' },
  us: { label: 'Us', tone: 'red' },
};
