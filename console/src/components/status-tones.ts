import type { Tone } from '../ui/tone.ts';

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
