import type { Suspension } from '@meridian/contract/engine';
import { NOTICE_MAX_LENGTH } from '@meridian/contract/incident';
import { type SyntheticEvent, useState } from 'react';
import { parseTime } from '../../ui/format-time.ts';
import { LATEST_LOCAL_TIME, localTimeText, TIME_ZONE } from '../../ui/local-time-text.ts';
import { TextField } from '../../ui/TextField.tsx';

export type SuspensionDetails = Pick<Suspension, 'expectedEndAt' | 'noticeForPeople'>;

interface SuspendFieldsProps {
  /** What is known so far. */
  initial?: SuspensionDetails | undefined;
  /** With every change; an end that is only half typed is passed on as it is, for the server to refuse. */
  onChange: (details: SuspensionDetails) => void;
}

/** When the suspension is expected to end, and what users are told meanwhile. Both may stay empty. */
export function SuspendFields({ initial, onChange }: SuspendFieldsProps) {
  const [details, setDetails] = useState<SuspensionDetails>(
    initial ?? { expectedEndAt: null, noticeForPeople: null },
  );
  const endsAt = parseTime(initial?.expectedEndAt);
  function set(part: Partial<SuspensionDetails>) {
    const next = { ...details, ...part };
    setDetails(next);
    onChange(next);
  }
  function setEnd({ currentTarget }: SyntheticEvent<HTMLInputElement>) {
    const { validity, value } = currentTarget;
    if (validity.badInput) return set({ expectedEndAt: 'incomplete' });
    return set({ expectedEndAt: value === '' ? null : new Date(value).toISOString() });
  }
  return (
    <>
      <TextField
        type="datetime-local"
        label="Expected end (optional)"
        hint={`In your time zone, ${TIME_ZONE}`}
        className="mb-4"
        max={LATEST_LOCAL_TIME}
        defaultValue={endsAt === undefined ? '' : localTimeText(endsAt)}
        onInput={setEnd}
        onBlur={setEnd}
      />
      <TextField
        label="Notice for users (optional)"
        hint="Users read this, not the reason"
        className="mb-4"
        autoComplete="off"
        maxLength={NOTICE_MAX_LENGTH}
        value={details.noticeForPeople ?? ''}
        onChange={(event) => set({ noticeForPeople: event.target.value || null })}
      />
    </>
  );
}
