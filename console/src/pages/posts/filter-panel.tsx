import { CAUSE_OWNERS } from '@meridian/contract/cause-words';
import {
  ANY_HOLD,
  CAUSE_FILTERS,
  HOLD_FILTERS,
  POST_TEXT_DAYS_MAX,
} from '@meridian/contract/posts';
import { Checkbox } from '@meridian/ui/choices.tsx';
import { DayField, FilterSelect, FilterText } from '@meridian/ui/list/filters.tsx';
import type { ListParams } from '@meridian/ui/list/params.ts';
import { OWNER_LABELS, type POSTS_PARAMS, wordsOf } from './filters.tsx';

const DAY_MS = 86_400_000;
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

/** The further filters of posts. Each applies as soon as it is set. */
export function PostFilterPanel({ list }: { list: ListParams<typeof POSTS_PARAMS> }) {
  const { overdue, stuck, from, to, userId } = list.values;
  const isBounded =
    userId !== '' ||
    (from !== '' && to !== '' && Date.parse(to) - Date.parse(from) <= POST_TEXT_DAYS_MAX * DAY_MS);

  /** A search in texts ends with its bounds. */
  function setTime(change: { from?: string; to?: string }) {
    list.set({ ...change, ...(userId === '' && { text: '' }) });
  }

  return (
    <div className="flex w-full flex-wrap items-end gap-2.5 pt-1">
      <DayField
        label="Scheduled from"
        className="w-44 @max-xl:w-full"
        side="start"
        value={from}
        onChange={(instant) => setTime({ from: instant })}
      />
      <DayField
        label="Scheduled to"
        className="w-44 @max-xl:w-full"
        side="end"
        value={to}
        onChange={(instant) => setTime({ to: instant })}
      />
      <FilterSelect
        label="Cause"
        allLabel="Any cause"
        options={CAUSE_OPTIONS}
        {...list.choice('cause')}
      />
      <FilterSelect
        label="Failed because of"
        allLabel="All Owners"
        options={OWNER_OPTIONS}
        {...list.choice('owner')}
      />
      <FilterSelect
        label="On hold"
        allLabel="On hold or not"
        options={HOLD_OPTIONS}
        {...list.choice('hold')}
      />
      <FilterText
        label={isBounded ? 'Text of the post' : `Text: needs ${POST_TEXT_DAYS_MAX} days or less`}
        disabled={!isBounded}
        {...list.typed('text')}
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
