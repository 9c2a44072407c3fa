import { lottery } from '../random.ts';
import type { Random } from '../random.ts';
import type { Kind } from '../phrases/types.ts';
import { DAY, HOUR, MINUTE } from '../times.ts';
import type { DemoUser } from '../users.ts';

const DAYS_BACK = 60;
const DAYS_AHEAD = 14;
/** Nobody plans further into the time after their account was stopped. */
const STOPPED_AFTERMATH = 10 * DAY;

/** How likely each local hour is, from midnight on. */
const HOURS: Record<'work' | 'leisure' | 'news', readonly number[]> = {
  work: [0, 0, 0, 0, 0, 1, 4, 9, 10, 8, 7, 8, 6, 5, 5, 6, 7, 6, 5, 4, 3, 2, 1, 0],
  leisure: [1, 0, 0, 0, 0, 1, 3, 6, 7, 5, 4, 4, 6, 5, 4, 4, 5, 7, 9, 11, 12, 10, 6, 3],
  news: [1, 1, 1, 1, 2, 5, 10, 11, 9, 8, 7, 7, 9, 7, 6, 7, 8, 10, 10, 8, 6, 5, 3, 2],
};
const drawHour = (name: keyof typeof HOURS) =>
  lottery(HOURS[name].map((weight, hour) => [hour, weight] as const));
const work = drawHour('work');
const leisure = drawHour('leisure');
const drawHourOf: Record<Kind, (share: number) => number> = {
  person: leisure,
  artist: leisure,
  club: leisure,
  cafe: work,
  software: work,
  culture: work,
  newsroom: drawHour('news'),
};
/** From Sunday on. */
const WEEKDAYS = [0.72, 1, 1.08, 1.1, 1.06, 1, 0.76];

export type Slot = { user: DemoUser; scheduledAt: number };

/** When who posts: more each month, less on weekends, ever fewer plans for days further ahead. */
export function makeSlots(
  random: Random,
  users: readonly DemoUser[],
  today: number,
  count: number,
): Slot[] {
  const drawDay = lottery(
    Array.from({ length: DAYS_BACK + DAYS_AHEAD }, (_, index) => {
      const offset = index - DAYS_BACK;
      const trend = offset < 0 ? 1 + (offset + DAYS_BACK) / 150 : 1.4 * Math.exp(-offset / 5);
      const weekday = WEEKDAYS[new Date(today + offset * DAY).getUTCDay()] ?? 1;
      return [offset, trend * weekday] as const;
    }),
  );
  const drawAuthor = lottery(users.map((user) => [user, user.weight] as const));
  const slots: Slot[] = [];
  while (slots.length < count) {
    const user = drawAuthor(random.unit());
    const scheduledAt = today + drawDay(random.unit()) * DAY + timeOfDay(random, user);
    const isTooEarly = scheduledAt < user.createdAt + 2 * HOUR;
    const isTooLate = user.stoppedAt !== null && scheduledAt > user.stoppedAt + STOPPED_AFTERMATH;
    if (!isTooEarly && !isTooLate) slots.push({ user, scheduledAt });
  }
  return slots.toSorted((a, b) => a.scheduledAt - b.scheduledAt);
}

function timeOfDay(random: Random, user: DemoUser): number {
  const minute = random.weighted([
    [0, 50],
    [30, 22],
    [15, 8],
    [45, 7],
    [random.int(0, 11) * 5, 9],
    [random.int(0, 59), 4],
  ]);
  const local = drawHourOf[user.kind](random.unit()) * HOUR + minute * MINUTE;
  return (local - user.zoneMinutes * MINUTE + DAY) % DAY;
}

/** When a post for this slot was written: newsrooms minutes ahead, others mostly within two days. */
export function writtenAt(random: Random, { user, scheduledAt }: Slot, now: number): number {
  const median = user.kind === 'newsroom' ? 35 * MINUTE : 13 * HOUR;
  const lead = Math.min(20 * DAY, Math.max(4 * MINUTE, median * Math.exp(bell(random) * 1.3)));
  const latest = Math.min(
    scheduledAt - 4 * MINUTE,
    now - 3 * MINUTE,
    (user.stoppedAt ?? Infinity) - MINUTE,
  );
  const earliest = user.createdAt + 5 * MINUTE;
  const wished = scheduledAt - lead;
  // What is planned for later was written some time before now, not at the very last moment.
  const written = wished <= latest ? wished : latest - random.unit() ** 2 * 3 * DAY;
  return Math.round(Math.max(Math.min(earliest, latest), written));
}

/** Roughly normal: the sum of three uniform numbers, with mean 0 and deviation 1. */
function bell(random: Random): number {
  return (random.unit() + random.unit() + random.unit() - 1.5) * 2;
}
