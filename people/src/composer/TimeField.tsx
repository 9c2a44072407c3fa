import { useState } from 'react';
import { cx } from '../../../console/src/ui/cx.ts';
import { formatDateTime } from '../../../console/src/ui/format-time.ts';
import { LOCALE } from '../../../console/src/ui/locale.ts';
import {
  GROOVE_CLASS,
  SEGMENT_CLASS,
  SEGMENT_ON_CLASS,
} from '../../../console/src/ui/segment-class.ts';
import { Select } from '../../../console/src/ui/Select.tsx';
import { TextField } from '../../../console/src/ui/TextField.tsx';
import { dayOf, hoursOf, sameClock, type SlotRange, type SlotRangeNow } from './slots.ts';

type TimeFieldProps = {
  range: SlotRangeNow;
  nextFree: number;
  /** Null for the next free slot. */
  at: string | null;
  onChange: (at: string | null) => void;
};

const ZONE = new Intl.DateTimeFormat(LOCALE).resolvedOptions().timeZone;
const hourText = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric' });
const zonedHourText = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', timeZoneName: 'short' });
const dayText = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const iso = (ms: number) => new Date(ms).toISOString();

/** The next free slot, or a day and one of its slots on the person's own clock. */
export function TimeField({ range, nextFree, at, onChange }: TimeFieldProps) {
  const chosen = at === null ? nextFree : Date.parse(at);
  /** Left at a day that cannot be chosen: it stays, with the reason, until it is another. */
  const [isRefused, setRefused] = useState(false);
  const modes = [
    { label: 'Next free slot', isOn: at === null, choose: () => onChange(null) },
    { label: 'Choose a time', isOn: at !== null, choose: () => onChange(iso(chosen)) },
  ];
  return (
    // The width does not follow the sentence: a slot that was taken must not move the neighbour.
    <fieldset className="min-w-[min(100%,21rem)]">
      <legend className="mb-1.5 text-sm font-medium">When</legend>
      <div className="flex flex-wrap items-start gap-2">
        <div className={cx(GROOVE_CLASS, 'flex-wrap')}>
          {modes.map(({ label, isOn, choose }) => (
            <button
              key={label}
              type="button"
              aria-pressed={isOn}
              onClick={() => {
                setRefused(false);
                choose();
              }}
              className={cx(SEGMENT_CLASS, isOn && SEGMENT_ON_CLASS)}
            >
              {label}
            </button>
          ))}
        </div>
        {at !== null && <SlotPicker {...{ range, chosen, onChange, isRefused, setRefused }} />}
      </div>
      {!isRefused && (
        <p className="mt-1.5 w-0 min-w-full text-sm text-muted">
          {chosen < range.over ? 'That time is over: ' : 'Goes out '}
          <time dateTime={iso(chosen)} className="font-medium text-text">
            {`${formatDateTime(new Date(chosen))} (${ZONE})`}
          </time>
        </p>
      )}
    </fieldset>
  );
}

type SlotPickerProps = {
  range: SlotRange;
  chosen: number;
  onChange: (at: string) => void;
  isRefused: boolean;
  setRefused: (isRefused: boolean) => void;
};

function SlotPicker({ range, chosen, onChange, isRefused, setRefused }: SlotPickerProps) {
  /** While a date is typed, it passes through days that cannot be chosen. */
  const [typedDay, setTypedDay] = useState<string>();
  const day = dayOf(chosen);
  const hours = hoursOf(day, range);
  const hour = hours.find(({ slots }) => slots.includes(chosen));
  const clocks = hours.map(({ startsAt }) => hourText.format(startsAt));
  const isTwice = (clock: string) => clocks.indexOf(clock) !== clocks.lastIndexOf(clock);
  const hourOptions = hours.map(({ startsAt }, index) => ({
    value: iso(startsAt),
    label: isTwice(clocks[index] ?? '') ? zonedHourText.format(startsAt) : (clocks[index] ?? ''),
  }));
  const minuteOptions = (hour?.slots ?? []).map((slot) => ({
    value: iso(slot),
    label: `:${String(new Date(slot).getMinutes()).padStart(2, '0')}`,
  }));

  /** A date that is half typed is none. */
  function slotOn(date: string) {
    return date === '' ? undefined : sameClock(hoursOf(date, range), chosen);
  }
  function chooseDay(next: string) {
    setTypedDay(next);
    const slot = slotOn(next);
    if (slot === undefined) return;
    setRefused(false);
    onChange(iso(slot));
  }
  function chooseHour(startsAt: string) {
    const next = hours.find((one) => iso(one.startsAt) === startsAt);
    const minute = new Date(chosen).getMinutes();
    const slot = next?.slots.find((one) => new Date(one).getMinutes() >= minute);
    onChange(slot === undefined ? startsAt : iso(slot));
  }
  return (
    <>
      <TextField
        type="date"
        label="Day"
        labelHidden
        className="w-38 max-w-full"
        value={typedDay ?? day}
        min={dayOf(range.earliest)}
        max={dayOf(range.latest)}
        onChange={({ target }) => chooseDay(target.value)}
        error={
          isRefused &&
          `Choose a day from ${dayText.format(range.earliest)} to ${dayText.format(range.latest)}`
        }
        onBlur={() => {
          const isOff = typedDay !== undefined && slotOn(typedDay) === undefined;
          setRefused(isOff);
          if (!isOff) setTypedDay(undefined);
        }}
      />
      {/* Where the line breaks, they stay together, unless large letters leave no room. */}
      <div className="flex flex-wrap gap-2">
        <Select
          label="Hour"
          labelHidden
          className="w-24"
          placeholder="Hour"
          options={hourOptions}
          value={hour === undefined ? null : iso(hour.startsAt)}
          onValueChange={chooseHour}
        />
        <Select
          label="Minute"
          labelHidden
          className="w-20"
          placeholder=":00"
          options={minuteOptions}
          value={hour === undefined ? null : iso(chosen)}
          onValueChange={onChange}
        />
      </div>
    </>
  );
}
