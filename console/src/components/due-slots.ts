const MINUTE_MS = 60_000;

export type Due = readonly { at: string; count: number }[];
export type DueSpan = { from: Date; stepMinutes: number; length: number };

/** Each slot of the span, those without posts included. */
export function dueSlots(due: Due, { from, stepMinutes, length }: DueSpan) {
  const stepMs = stepMinutes * MINUTE_MS;
  const counts = new Map(due.map(({ at, count }) => [Date.parse(at), count]));
  const first = Math.floor(from.getTime() / stepMs) * stepMs;
  return Array.from({ length }, (_, index) => {
    const at = first + index * stepMs;
    return { at: new Date(at), to: new Date(at + stepMs), count: counts.get(at) ?? 0 };
  });
}

/** Where the axis of the slots stands at a share of its length: the ticks are equally far apart. */
export function timeAt(slots: readonly { at: Date; to: Date }[], share: number): Date {
  const [first, last] = [slots[0]?.at.getTime() ?? 0, slots.at(-1)?.to.getTime() ?? 0];
  return new Date(first + share * (last - first));
}
