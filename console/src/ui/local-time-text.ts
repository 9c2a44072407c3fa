/** With an end in sight the browser asks for a year of four digits. */
export const LATEST_LOCAL_TIME = '2099-12-31T23:59';
export const TIME_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;
const MINUTE_MS = 60_000;

/** '2026-11-14T21:00' in the browser's zone, as its own field for dates and times has it. */
export function localTimeText(date: Date): string {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * MINUTE_MS);
  return local.toISOString().slice(0, LATEST_LOCAL_TIME.length);
}
