const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Slots begin at multiples of the plan's interval since the epoch, as the server counts them. */
export function slotAtOrAfter(ms: number, minutes: number): number {
  const slotMs = minutes * MINUTE_MS;
  return Math.ceil(ms / slotMs) * slotMs;
}

/** What a person may choose from: not before the next slot, not after the plan's last day. */
export type SlotRange = { earliest: number; latest: number; minutes: number };
/** `over`: the server takes what is past by less than a minute. */
export type SlotRangeNow = SlotRange & { over: number };

export function slotRange(now: number, minutes: number, maxDays: number): SlotRangeNow {
  // A slot that begins within these seconds could be over before the request arrives.
  const earliest = slotAtOrAfter(now + 10_000, minutes);
  const latest = maxDays < 0 ? now + 366 * DAY_MS : now + maxDays * DAY_MS;
  return { earliest, latest, minutes, over: now - MINUTE_MS };
}

/** The first slot without a post of this person; the last one looked at where all are taken. */
export function nextFreeSlot({ earliest, latest, minutes }: SlotRange, taken: readonly number[]) {
  const slotMs = minutes * MINUTE_MS;
  const full = new Set(taken.map((ms) => Math.floor(ms / slotMs) * slotMs));
  let slot = earliest;
  while (full.has(slot) && slot + slotMs <= latest) slot += slotMs;
  return slot;
}

const two = (part: number) => String(part).padStart(2, '0');

/** '2026-11-16' of an instant, in the browser's zone. */
export function dayOf(ms: number): string {
  const date = new Date(ms);
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

/** One hour on the clock of the browser's zone. An hour that is repeated in autumn is there twice. */
export type ClockHour = { startsAt: number; slots: number[] };

/**
 * The slots of a day, by hour. Only instants that exist are listed, so an hour that is skipped in
 * spring cannot be chosen.
 */
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

/** The slot that is nearest on the clock to the one chosen before, after another day was chosen. */
export function sameClock(hours: readonly ClockHour[], before: number): number | undefined {
  const wanted = minuteOf(before);
  const slots = hours.flatMap((hour) => hour.slots);
  return slots.find((slot) => minuteOf(slot) >= wanted) ?? slots.at(-1);
}
