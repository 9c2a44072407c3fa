import { type SyntheticEvent, useState } from 'react';
import { TextField } from '../../ui/TextField.tsx';
import { dayOf, instantOf } from './period.ts';
import { useTyped } from './use-typed.ts';

interface DayFieldProps {
  label: string;
  className: string;
  /** Whether the period begins with this day or ends with it. */
  side: 'start' | 'end';
  /** The instant that stands in the URL. */
  value: string;
  onChange: (instant: string) => void;
}

/** The first or last day of a period. It applies once it is whole: a year is typed digit by digit. */
export function DayField({ label, className, side, value, onChange }: DayFieldProps) {
  const day = dayOf(value, side);
  const [isWrong, setWrong] = useState(false);
  const { typed, setTyped, pushed, setPushed } = useTyped(day, () => setWrong(false));

  function read({ currentTarget, type }: SyntheticEvent<HTMLInputElement>) {
    const { value: next, validity } = currentTarget;
    setTyped(next);
    setWrong(type === 'blur' && !validity.valid);
    if (!validity.valid || next === pushed) return;
    setPushed(next);
    onChange(instantOf(next, side));
  }

  return (
    <TextField
      type="date"
      label={label}
      className={className}
      // The years that the server takes. With an end in sight the browser asks for four digits.
      min="2000-01-02"
      max="2099-12-30"
      error={isWrong ? 'A whole date, from 2000 to 2099' : undefined}
      value={typed}
      onInput={read}
      // Emptied part by part it has no other event.
      onKeyUp={read}
      onBlur={read}
    />
  );
}
