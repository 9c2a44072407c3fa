import type { Suspension } from '@meridian/contract/engine';
import { NOTICE_MAX_LENGTH } from '@meridian/contract/suspension';
import { type SyntheticEvent, useEffect, useState } from 'react';
import { changedPaths } from '../../components/form/changes.ts';
import { useDraft, useRestored } from '../../components/form/use-draft.ts';
import { parseTime } from '../../ui/format-time.ts';
import { LATEST_LOCAL_TIME, localTimeText, TIME_ZONE } from '../../ui/local-time-text.ts';
import { TextField } from '../../ui/TextField.tsx';

export type SuspensionDetails = Pick<Suspension, 'expectedEndAt' | 'noticeForPeople'>;

const NONE: SuspensionDetails = { expectedEndAt: null, noticeForPeople: null };
/** Apart from the form for access keywords, which has the same address. */
const DRAFT = 'suspension';

interface SuspendFieldsProps {
  /** What is known so far. */
  initial?: SuspensionDetails | undefined;
  /** With every change; an end that is only half typed is passed on as it is, for the server to refuse. */
  onChange: (details: SuspensionDetails) => void;
}

/** When the suspension is expected to end, and what users are told meanwhile. Both may stay empty. */
export function SuspendFields({ initial = NONE, onChange }: SuspendFieldsProps) {
  const [first] = useState(() => {
    const endsAt = parseTime(initial.expectedEndAt);
    return {
      end: endsAt === undefined ? '' : localTimeText(endsAt),
      notice: initial.noticeForPeople ?? '',
    };
  });
  const restored = useRestored(first, true, DRAFT);
  const [values, setValues] = useState(restored.initial);
  const [isHalf, setHalf] = useState(false);
  const { end, notice } = values;
  useDraft(first, values, changedPaths(first, values).length > 0, DRAFT);

  // Restored, they are there before anything is typed.
  useEffect(() => {
    const typed = end === '' ? null : new Date(end).toISOString();
    // Left as it was, it keeps its seconds.
    const whole = end === first.end ? initial.expectedEndAt : typed;
    onChange({
      expectedEndAt: isHalf ? 'incomplete' : whole,
      noticeForPeople: notice || null,
    });
  }, [onChange, initial, first, end, isHalf, notice]);

  function setEnd({ currentTarget: { validity, value } }: SyntheticEvent<HTMLInputElement>) {
    setHalf(validity.badInput);
    setValues({ ...values, end: value });
  }
  return (
    <>
      <TextField
        type="datetime-local"
        label="Expected end (optional)"
        hint={`In your time zone, ${TIME_ZONE}`}
        className="mb-4"
        max={LATEST_LOCAL_TIME}
        defaultValue={restored.initial.end}
        onInput={setEnd}
        onBlur={setEnd}
      />
      <TextField
        label="Notice for users (optional)"
        hint="Users read this, not the reason"
        className="mb-4"
        autoComplete="off"
        maxLength={NOTICE_MAX_LENGTH}
        value={notice}
        onChange={(event) => setValues({ ...values, notice: event.target.value })}
      />
    </>
  );
}
