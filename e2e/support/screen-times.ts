import { note } from '../../server/test/figures.ts';

/** For the long run, which lists how long each screen took to show its rows. */
export async function timed<Result>(screen: string, show: () => Promise<Result>): Promise<Result> {
  const startedAt = performance.now();
  const result = await show();
  note({ what: screen, seconds: ((performance.now() - startedAt) / 1000).toFixed(2) });
  return result;
}
