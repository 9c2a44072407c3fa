import { REASON_MAX_LENGTH } from '@meridian/contract/audit-feature';
import { TextField } from '../../ui/TextField.tsx';

interface ReasonFieldProps {
  className?: string;
  value?: string;
  onChange: (reason: string) => void;
}

/** The reason of a change, for the audit log. */
export function ReasonField({ className, value, onChange }: ReasonFieldProps) {
  return (
    <TextField
      label="Reason (optional)"
      hint="Stored in the audit log"
      className={className}
      autoComplete="off"
      maxLength={REASON_MAX_LENGTH}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
