import { Badge } from '../../ui/Badge.tsx';
import type { Tone } from '../../ui/tone.ts';

const STATES: Readonly<Record<string, [label: string, tone: Tone]>> = {
  NONE: ['Never connected', 'gray'],
  CONNECTED: ['Connected', 'green'],
  RECONNECT: ['To be connected again', 'amber'],
  DEACTIVATED: ['Deactivated', 'orange'],
  TAKEN_DOWN: ['Taken down', 'red'],
  GONE: ['Gone', 'red'],
};

/** The state of the connection to a user's account. */
export function AccountBadge({ state }: { state: string }) {
  const [label, tone] = STATES[state] ?? [state, 'gray' as const];
  return <Badge tone={tone}>{label}</Badge>;
}
