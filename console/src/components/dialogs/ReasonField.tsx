import { REASON_MAX_LENGTH } from '@meridian/contract/requests';
import { useEffect, useState } from 'react';
import { TextField } from '../../ui/TextField.tsx';
import { useDraft, useRestored } from '../form/use-draft.ts';

const EMPTY = { reason: '' };

interface ReasonFieldProps {
  className?: string;
  /** The title of its dialog: asked again after the session has ended, it has its reason again. */
  of: string;
  /** What was typed before the field was away for a moment. */
  typed?: string;
  onChange: (reason: string) => void;
}

/** The reason of a change, for the audit log. */
export function ReasonField({ className, of, typed = '', onChange }: ReasonFieldProps) {
  const { initial } = useRestored(EMPTY, true, of);
  const [values, setValues] = useState(typed === '' ? initial : { reason: typed });
  const { reason } = values;
  useDraft(EMPTY, values, reason !== '', of);
  // Restored, it is there before anything is typed.
  useEffect(() => onChange(reason), [onChange, reason]);
  return (
    <TextField
      label="Reason (optional)"
      hint="Stored in the audit log"
      className={className}
      autoComplete="off"
      maxLength={REASON_MAX_LENGTH}
      value={reason}
      onChange={(event) => setValues({ reason: event.target.value })}
    />
  );
}
