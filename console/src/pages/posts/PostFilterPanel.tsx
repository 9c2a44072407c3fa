import { CAUSE_OWNERS } from '@meridian/contract/cause-words';
import {
  ANY_HOLD,
  CAUSE_FILTERS,
  HOLD_FILTERS,
  POST_TEXT_DAYS_MAX,
  POST_TEXT_MAX_LENGTH,
} from '@meridian/contract/post-filter';
import { FilterSelect } from '../../components/list/FilterSelect.tsx';
import { FilterText } from '../../components/list/FilterText.tsx';
import type { ListParams } from '../../components/list/use-list-params.ts';
import { Checkbox } from '../../ui/Checkbox.tsx';
import { parseTime } from '../../ui/format-time.ts';
import { TextField } from '../../ui/TextField.tsx';
import { OWNER_LABELS, wordsOf } from './post-chips.tsx';
import type { POSTS_PARAMS } from './posts-params.ts';

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const CAUSE_OPTIONS = CAUSE_FILTERS.map((value) => ({
  value,
  label: capitalized(wordsOf(value)),
})).toSorted((a, b) => a.label.localeCompare(b.label));
const OWNER_OPTIONS = CAUSE_OWNERS.map((value) => ({
  value,
  label: capitalized(OWNER_LABELS[value]),
}));
const HOLD_OPTIONS = HOLD_FILTERS.map((value) => ({
  value,
  label: value === ANY_HOLD ? 'On hold' : `On hold: ${wordsOf(value)}`,
}));

/** '2026-11-16' in the browser's zone; empty for no time. */
function dayOf(value: string, shiftMs = 0): string {
  const time = parseTime(value);
  if (time === undefined) return '';
  const local = time.getTime() + shiftMs - time.getTimezoneOffset() * MINUTE_MS;
  return new Date(local).toISOString().slice(0, 10);
}

/** The beginning of a day in the browser's zone, or of the one after it. */
function startOf(day: string, days = 0): string {
  if (day === '') return '';
  const start = new Date(`${day}T00:00`);
  start.setDate(start.getDate() + days);
  return Number.isNaN(start.getTime()) ? '' : start.toISOString();
}

/** The further filters of posts. Each applies as soon as it is set. */
export function PostFilterPanel({ list }: { list: ListParams<typeof POSTS_PARAMS> }) {
  const { cause, owner, hold, overdue, stuck, from, to, userId, text } = list.values;
  const isBounded =
    userId !== '' ||
    (from !== '' && to !== '' && Date.parse(to) - Date.parse(from) <= POST_TEXT_DAYS_MAX * DAY_MS);

  /** A search in texts ends with its bounds. */
  function setTime(change: { from?: string; to?: string }) {
    list.set({ ...change, ...(userId === '' && { text: '' }) });
  }

  return (
    <div className="flex w-full flex-wrap items-end gap-2.5 pt-1">
      <TextField
        type="date"
        label="Scheduled from"
        className="w-44 @max-xl:w-full"
        value={dayOf(from)}
        onChange={(event) => setTime({ from: startOf(event.target.value) })}
      />
      <TextField
        type="date"
        label="Scheduled to"
        className="w-44 @max-xl:w-full"
        value={dayOf(to, -1)}
        onChange={(event) => setTime({ to: startOf(event.target.value, 1) })}
      />
      <FilterSelect
        label="Cause"
        allLabel="Any cause"
        options={CAUSE_OPTIONS}
        value={cause}
        onChange={(next) => list.set({ cause: next })}
      />
      <FilterSelect
        label="Failed because of"
        allLabel="All Owners"
        options={OWNER_OPTIONS}
        value={owner}
        onChange={(next) => list.set({ owner: next })}
      />
      <FilterSelect
        label="On hold"
        allLabel="On hold or not"
        options={HOLD_OPTIONS}
        value={hold}
        onChange={(next) => list.set({ hold: next })}
      />
      <FilterText
        label="Text"
        placeholder={
          isBounded ? 'Text of the post' : `Text: needs ${POST_TEXT_DAYS_MAX} days or less`
        }
        maxLength={POST_TEXT_MAX_LENGTH}
        disabled={!isBounded}
        value={text}
        onChange={(next) => list.setTyped({ text: next })}
      />
      <Checkbox
        label="Overdue"
        className="h-control"
        checked={overdue === 'true'}
        onCheckedChange={(isOn) => list.set({ overdue: isOn ? 'true' : '' })}
      />
      <Checkbox
        label="Stuck"
        className="h-control"
        checked={stuck === 'true'}
        onCheckedChange={(isOn) => list.set({ stuck: isOn ? 'true' : '' })}
      />
    </div>
  );
}
