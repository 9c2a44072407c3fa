import { Search } from 'lucide-react';
import { type KeyboardEvent, useEffect } from 'react';
import { TextField } from '../../ui/TextField.tsx';
import { useTyped } from './use-typed.ts';

export interface FilterTextProps {
  /** Also what stands in the empty field, unless it stands above it. */
  label: string;
  labelShown?: boolean | undefined;
  /** What stands in the URL. */
  value: string;
  onChange: (value: string) => void;
  maxLength: number | undefined;
  disabled?: boolean | undefined;
}

/** Longer than the pause between two keys, shorter than patience. */
const PAUSE_MS = 250;

/** Free text that filters while one types, without ever taking a key or the focus away. */
export function FilterText(props: FilterTextProps) {
  const { label, labelShown = false, value, onChange, maxLength, disabled = false } = props;
  const { typed, setTyped, pushed, setPushed } = useTyped(value);

  function push() {
    const next = typed.trim();
    if (next === pushed) return;
    setPushed(next);
    onChange(next);
  }

  // Waiting for a pause in the typing is a timer's work.
  useEffect(() => {
    const timer = setTimeout(push, PAUSE_MS);
    return () => clearTimeout(timer);
    // Typing starts the wait anew, and what was pushed meanwhile ends it: coming late, the same
    // words again would undo a navigation to another page that is under way.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [typed, pushed]);

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'Enter') push();
  }

  return (
    <TextField
      label={label}
      labelHidden={!labelShown}
      type="search"
      icon={<Search aria-hidden="true" />}
      className="w-80 @max-xl:w-full"
      placeholder={labelShown ? undefined : label}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={maxLength}
      disabled={disabled}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={onKeyDown}
      // Focus elsewhere means that the typing is done: what was typed is not lost on the way.
      onBlur={push}
    />
  );
}
