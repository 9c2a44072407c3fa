import { appendFileSync } from 'node:fs';

/** For the long run, which collects what its parts measured: one JSON line each. */
export function note(figures: Record<string, number | string>): void {
  const file = process.env['FIGURES_FILE'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(figures)}\n`);
}
