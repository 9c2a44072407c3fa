import type { EngineState } from '@meridian/contract/engine';
import { SUSPENSION_MESSAGES, PACE_DEFAULT, resumePreview } from '@meridian/contract/suspension';
import { useState } from 'react';
import { useEndpointQuery } from '../../api/use-endpoint-query.ts';
import { LoadError } from '../../components/LoadError.tsx';
import { Select } from '../../ui/Select.tsx';
import { ResumeConsequence } from './ResumeConsequence.tsx';
import { type ResumePlan, ResumePlanFields } from './ResumePlanFields.tsx';

interface ResumeFieldsProps {
  state: EngineState;
  /** Undefined: the usual rule. */
  onChange: (plan: ResumePlan | undefined) => void;
}

const MODES = [
  { value: 'usual', label: 'By the usual rule' },
  { value: 'plan', label: 'By how late they are' },
] as const;
/** Until the posts are counted: refused by the server rather than resumed by the usual rule. */
const UNCOUNTED: ResumePlan = { token: '', tooLate: [], perMinute: PACE_DEFAULT };

/** What becomes of the posts that wait: the usual rule, or a plan by how late they are. */
export function ResumeFields({ state, onChange }: ResumeFieldsProps) {
  const [mode, setMode] = useState<(typeof MODES)[number]['value']>('usual');
  const isPlanned = mode === 'plan';
  // The numbers are those of this moment.
  const query = useEndpointQuery(resumePreview, {}, { enabled: isPlanned, staleTimeMs: 0 });
  const waits = state.waiting.count > 0;
  return (
    <div className="mb-4 flex flex-col gap-4">
      {waits && (
        <Select
          label="Posts that wait"
          options={MODES}
          value={mode}
          onValueChange={(next) => {
            setMode(next);
            onChange(next === 'plan' ? UNCOUNTED : undefined);
          }}
        />
      )}
      {!isPlanned && (
        <div className="text-base text-muted">
          <ResumeConsequence state={state} />
        </div>
      )}
      {isPlanned && <LoadError query={query} failed={SUSPENSION_MESSAGES.previewFailed} />}
      {isPlanned && query.isPending && <output className="text-muted">Counting...</output>}
      {isPlanned && query.data !== undefined && (
        <ResumePlanFields preview={query.data} onChange={onChange} />
      )}
    </div>
  );
}
