export interface Slice {
  /** Of the total, 0 to 1; more only where the total is smaller than what it is the total of. */
  share: number;
  /** The path of the slice in a circle of radius 1 around the origin, empty for nothing. */
  path: string;
}

function point(share: number): string {
  // Clockwise from the top. Rounded: a browser sees no thousandth, a diff would.
  const angle = share * 2 * Math.PI - Math.PI / 2;
  return `${round(Math.cos(angle))} ${round(Math.sin(angle))}`;
}

function round(value: number): number {
  // Adding 0 turns -0 into 0.
  return Math.round(value * 1e4) / 1e4 + 0;
}

function slicePath(from: number, to: number): string {
  if (to - from <= 0) return '';
  // An arc that ends where it starts is none: a whole circle takes two halves.
  if (to - from >= 1) return 'M0 -1A1 1 0 1 1 0 1A1 1 0 1 1 0 -1Z';
  const isLarge = to - from > 0.5 ? 1 : 0;
  return `M0 0L${point(from)}A1 1 0 ${isLarge} 1 ${point(to)}Z`;
}

/**
 * One slice per value, in order. Negative and absurd values count as nothing. The values may be
 * less than the given total: the rest of the circle then stays open.
 */
export function pieSlices(
  values: readonly number[],
  givenTotal?: number,
): { total: number; slices: Slice[] } {
  const clean = values.map((value) => (Number.isFinite(value) && value > 0 ? value : 0));
  const sum = clean.reduce((before, value) => before + value, 0);
  const total = sum === 0 ? 0 : (givenTotal ?? sum);
  // A circle holds all values, even of a total that does not.
  const circle = Math.max(total, sum);
  let before = 0;
  const slices = clean.map((value) => {
    const from = before;
    before += value;
    if (total === 0) return { share: 0, path: '' };
    return { share: value / total, path: slicePath(from / circle, before / circle) };
  });
  return { total, slices };
}
