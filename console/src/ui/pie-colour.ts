const COLOURS = 7;

/** Seven colours that colour-blind people can tell apart, over and over. */
export function pieColour(index: number): string {
  return `var(--pie-${(index % COLOURS) + 1})`;
}
