/**
 * What takes long to read is kept for a while: everybody with the same page open asks with every change of
 * any post. `msOf` says how long. Callers at one time share one reading; a failed one is not kept.
 */
export function keptBriefly<T>(
  read: () => Promise<T>,
  msOf: (value: T) => number,
  now = () => performance.now(),
) {
  let kept: Promise<T> | null = null;
  let until = Infinity;
  return (): Promise<T> => {
    if (kept !== null && now() < until) return kept;
    until = Infinity;
    const reading = read();
    kept = reading;
    reading.then(
      (value) => {
        until = now() + msOf(value);
      },
      () => {
        kept = null;
      },
    );
    return reading;
  };
}
