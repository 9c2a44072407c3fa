import type { Tone } from '../../ui/tone.ts';

export const JOB_STATES: Readonly<Record<string, { tone: Tone; label: string }>> = {
  RUNNING: { tone: 'violet', label: 'Running' },
  STOPPING: { tone: 'amber', label: 'Stopping' },
  STOPPED: { tone: 'orange', label: 'Stopped' },
  DONE: { tone: 'green', label: 'Done' },
};
