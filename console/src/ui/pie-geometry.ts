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

/** Of the circle: 3.5 px at the rim, of which the gaps to the neighbors leave 1.5 px of color. */
const DRAWN_MIN = 0.0065;

const sumOf = (all: readonly number[]) => all.reduce((sum, share) => sum + share, 0);

/** Shares as they are drawn: a thin slice can be seen, and the others give way to it. */
function drawnShares(shares: readonly number[]): readonly number[] {
  const raised = shares.map((share) => (share > 0 ? Math.max(share, DRAWN_MIN) : 0));
  const excess = sumOf(raised) - sumOf(shares);
  const room = sumOf(raised.map((share) => Math.max(share - DRAWN_MIN, 0)));
  // Where no slice is wide enough to give way, there are too many for any to be seen.
  if (excess > room) return shares;
  return raised.map((share) =>
    share > DRAWN_MIN ? share - ((share - DRAWN_MIN) / room) * excess : share,
  );
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
  const sum = sumOf(clean);
  const total = sum === 0 ? 0 : (givenTotal ?? sum);
  // A circle holds all values, even of a total that does not.
  const circle = Math.max(total, sum);
  if (total === 0) return { total, slices: clean.map(() => ({ share: 0, path: '' })) };
  const drawn = drawnShares(clean.map((value) => value / circle));
  let before = 0;
  const slices = clean.map((value, index) => {
    const from = before;
    before += drawn[index] ?? 0;
    return { share: value / total, path: slicePath(from, before) };
  });
  return { total, slices };
}
