import { Badge } from '../../ui/Badge.tsx';
import { JOB_STATES } from './job-words.ts';

export function JobBadge({ state }: { state: string }) {
  const { tone, label } = JOB_STATES[state] ?? { tone: 'gray', label: state };
  return <Badge tone={tone}>{label}</Badge>;
}
