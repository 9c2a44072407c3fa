import { useState } from 'react';
import { Select } from '@meridian/ui/choices.tsx';
import { cx, GROOVE_CLASS, SEGMENT_CLASS, SEGMENT_ON_CLASS } from '@meridian/ui/classes.ts';
import { TextField } from '@meridian/ui/fields.tsx';
import { formatDateTime, LOCALE } from '@meridian/ui/format.ts';

type TimeFieldProps = {
  range: SlotRangeNow;
  nextFree: number;
  /** Null means the next free slot. */
  at: string | null;
  onChange: (at: string | null) => void;
};

const ZONE = new Intl.DateTimeFormat(LOCALE).resolvedOptions().timeZone;
const hourText = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric' });
const zonedHourText = new Intl.DateTimeFormat(LOCALE, { hour: 'numeric', timeZoneName: 'short' });
const dayText = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium' });
const iso = (ms: number) => new Date(ms).toISOString();

/** Offers the next free slot, or a day and one of its slots on the browser's clock. */
export function TimeField({ range, nextFree, at, onChange }: TimeFieldProps) {
  const chosen = at === null ? nextFree : Date.parse(at);
  /** A day that cannot be chosen stays in its field, with the reason, until it is another. */
  const [isRefused, setRefused] = useState(false);
  const modes = [
    { label: 'Next free slot', isOn: at === null, choose: () => onChange(null) },
    { label: 'Choose a time', isOn: at !== null, choose: () => onChange(iso(chosen)) },
  ];
  return (
    // The width does not follow the sentence, so that another slot does not move the neighbour.
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
  /** A date passes through days that cannot be chosen while it is typed. */
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
      {/* Both fields stay on one line, unless large letters leave no room. */}
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

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Slots begin at multiples of the plan's interval since the epoch, as the server counts them. */
export function slotAtOrAfter(ms: number, minutes: number): number {
  const slotMs = minutes * MINUTE_MS;
  return Math.ceil(ms / slotMs) * slotMs;
}

/** A member chooses from the next slot to the plan's last day. */
export type SlotRange = { earliest: number; latest: number; minutes: number };
/** A slot before `over` has passed: the server takes one that is past by less than a minute. */
export type SlotRangeNow = SlotRange & { over: number };

export function slotRange(now: number, minutes: number, maxDays: number): SlotRangeNow {
  // A slot that begins within these seconds could be over before the request arrives.
  const earliest = slotAtOrAfter(now + 10_000, minutes);
  const latest = maxDays < 0 ? now + 366 * DAY_MS : now + maxDays * DAY_MS;
  return { earliest, latest, minutes, over: now - MINUTE_MS };
}

/** The first slot without a post of this member; the last slot where all are taken. */
export function nextFreeSlot({ earliest, latest, minutes }: SlotRange, taken: readonly number[]) {
  const slotMs = minutes * MINUTE_MS;
  const full = new Set(taken.map((ms) => Math.floor(ms / slotMs) * slotMs));
  let slot = earliest;
  while (full.has(slot) && slot + slotMs <= latest) slot += slotMs;
  return slot;
}

const two = (part: number) => String(part).padStart(2, '0');

/** The day of an instant in the browser's zone, such as '2026-11-16'. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** One hour on the browser's clock. An hour that autumn repeats is there twice. */
export type ClockHour = { startsAt: number; slots: number[] };

/** Lists the slots of a day by hour. An hour that spring skips does not exist, and so is not listed. */
export function hoursOf(day: string, { earliest, latest, minutes }: SlotRange): ClockHour[] {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const begins = new Date(year, month - 1, date).getTime();
  const ends = new Date(year, month - 1, date + 1).getTime();
  const hours: (ClockHour & { clock: string })[] = [];
  const first = slotAtOrAfter(Math.max(begins, earliest), minutes);
  for (let slot = first; slot < ends && slot <= latest; slot += minutes * MINUTE_MS) {
    const local = new Date(slot);
    const clock = `${local.getHours()} ${local.getTimezoneOffset()}`;
    const hour = hours.at(-1);
    if (hour?.clock === clock) hour.slots.push(slot);
    else hours.push({ startsAt: slot, slots: [slot], clock });
  }
  return hours.map(({ startsAt, slots }) => ({ startsAt, slots }));
}

const minuteOf = (ms: number) => new Date(ms).getHours() * 60 + new Date(ms).getMinutes();

/** The slot of another day that is nearest on the clock to the one chosen before. */
export function sameClock(hours: readonly ClockHour[], before: number): number | undefined {
  const wanted = minuteOf(before);
  const slots = hours.flatMap((hour) => hour.slots);
  return slots.find((slot) => minuteOf(slot) >= wanted) ?? slots.at(-1);
}
