import { Badge } from '../../ui/Badge.tsx';
import type { Tone } from '../../ui/tone.ts';

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
