import { appendFileSync } from 'node:fs';

/** For the long run, which collects what its parts measured: one JSON line each. */
export function note(figures: Record<string, number | string>): void {
  append(figures);
}

/** What was promised, what was seen, and whether that keeps the promise: a line of the summary. */
export type Verdict = { goal: string; measured: string; isMet: boolean };

/**
 * Judges by the number that was promised, for the summary of the long run. A test may be more patient
 * than that, for a machine that has other things to do as well.
 */
export function judge(verdict: Verdict): void {
  append(verdict);
}

function append(line: object): void {
  const file = process.env['FIGURES_FILE'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(line)}\n`);
}
