export interface Slice {
  /** Of the whole, 0 to 1. */
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

/** One slice per value, in order. Negative and absurd values count as nothing. */
export function pieSlices(values: readonly number[]): { total: number; slices: Slice[] } {
  const clean = values.map((value) => (Number.isFinite(value) && value > 0 ? value : 0));
  const total = clean.reduce((sum, value) => sum + value, 0);
  let before = 0;
  const slices = clean.map((value) => {
    const share = total === 0 ? 0 : value / total;
    const from = total === 0 ? 0 : before / total;
    before += value;
    return { share, path: slicePath(from, from + share) };
  });
  return { total, slices };
}
