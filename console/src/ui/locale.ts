/**
 * The console speaks English. An English browser keeps its own habits of date and number; any
 * other gets day before month, spelled out, which cannot be misread.
 */
export function pickLocale(preferred: string | undefined): string {
  return preferred !== undefined && /^en\b/i.test(preferred) ? preferred : 'en-GB';
}

export const LOCALE = pickLocale(typeof navigator === 'undefined' ? undefined : navigator.language);
