export type Colour = readonly [red: number, green: number, blue: number];

/** `#rrggbb` as three channels from 0 to 255. */
export function hex(text: string): Colour {
  const value = Number.parseInt(text.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/**
 * A share of 0 is the first colour, 1 the second. Mixed in the OKLab space: in plain RGB a sunset
 * from orange to blue would go through grey.
 */
export function mix(from: Colour, to: Colour, share: number): Colour {
  const [l1, a1, b1] = toOklab(from);
  const [l2, a2, b2] = toOklab(to);
  const blend = (x: number, y: number) => x + (y - x) * share;
  return fromOklab(blend(l1, l2), blend(a1, a2), blend(b1, b2));
}

const WHITE: Colour = [255, 255, 255];
const BLACK: Colour = [0, 0, 0];
export const lighter = (colour: Colour, share: number) => mix(colour, WHITE, share);
export const darker = (colour: Colour, share: number) => mix(colour, BLACK, share);

function toOklab([red, green, blue]: Colour): [number, number, number] {
  const r = toLinear(red);
  const g = toLinear(green);
  const b = toLinear(blue);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function fromOklab(lightness: number, a: number, b: number): Colour {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

function toLinear(channel: number): number {
  const share = channel / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

function toByte(linear: number): number {
  const share = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(1, Math.max(0, share)) * 255);
}
