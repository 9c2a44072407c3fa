const DAY = /^\d{4}-\d\d-\d\d$/;

/** The local midnight at which a day begins, or the one at which it ends; empty for no day. */
export function instantOf(day: string, side: 'start' | 'end'): string {
  if (!DAY.test(day)) return '';
  // From noon on: where the clock is set forward at midnight, that day begins at one, but not the next.
  const date = new Date(`${day}T12:00`);
  if (side === 'end') date.setDate(date.getDate() + 1);
  date.setHours(0);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString();
}

/** The day of the browser's zone that such an instant stands for; empty for anything else. */
export function dayOf(instant: string, side: 'start' | 'end'): string {
  const date = new Date(instant);
  if (instant === '' || Number.isNaN(date.getTime())) return '';
  // The end of a period is not part of it.
  if (side === 'end') date.setMilliseconds(date.getMilliseconds() - 1);
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part, index) => String(part).padStart(index === 0 ? 4 : 2, '0')).join('-');
}
