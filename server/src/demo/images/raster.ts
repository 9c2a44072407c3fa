import { mix } from './colour.ts';
import type { Colour } from './colour.ts';
import type { Shape } from './shapes.ts';

/** Three bytes a pixel, row by row from the top. */
export type Raster = {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
};

export function createRaster(width: number, height: number): Raster {
  return { width, height, pixels: new Uint8Array(width * height * 3) };
}

export function fill(raster: Raster, colour: Colour): void {
  fillGradient(raster, [colour, colour]);
}

/** Evenly spaced colours from the top to the bottom. */
export function fillGradient(raster: Raster, colours: readonly Colour[]): void {
  const { height } = raster;
  for (let y = 0; y < height; y += 1) {
    const position = (y / Math.max(1, height - 1)) * (colours.length - 1);
    const index = Math.min(Math.floor(position), colours.length - 2);
    const from = colours[index] ?? [0, 0, 0];
    fillRow(raster, y, mix(from, colours[index + 1] ?? from, position - index));
  }
}

function fillRow({ width, pixels }: Raster, y: number, [red, green, blue]: Colour): void {
  for (let i = y * width * 3; i < (y + 1) * width * 3; i += 3) {
    pixels[i] = red;
    pixels[i + 1] = green;
    pixels[i + 2] = blue;
  }
}

const TILE = 8;
/** From the middle of a tile to its corner, and the pixel of the soft edge. */
const TILE_REACH = TILE * Math.SQRT1_2 + 1;

/** Paints a shape with a soft edge of one pixel. */
export function paint(raster: Raster, shape: Shape, colour: Colour, opacity = 1): void {
  const left = Math.max(0, Math.floor(shape.box.left) - 1);
  const right = Math.min(raster.width, Math.ceil(shape.box.right) + 1);
  const bottom = Math.min(raster.height, Math.ceil(shape.box.bottom) + 1);
  const blend = blender(raster, colour);
  for (let top = Math.max(0, Math.floor(shape.box.top) - 1); top < bottom; top += TILE) {
    for (let start = left; start < right; start += TILE) {
      // Most tiles lie wholly outside or inside, which one look at their middle tells.
      const middle = shape.bound(start + TILE / 2, top + TILE / 2);
      if (middle > TILE_REACH) continue;
      const isInside = middle < -TILE_REACH;
      for (let y = top; y < top + TILE && y < bottom; y += 1) {
        for (let x = start; x < start + TILE && x < right; x += 1) {
          const cover = isInside ? 1 : 0.5 - shape.distance(x + 0.5, y + 0.5);
          if (cover > 0) blend(y * raster.width + x, cover < 1 ? cover * opacity : opacity);
        }
      }
    }
  }
}

/** Everything under a line, fading from one colour at the line to another at the bottom. */
export function paintBelow(
  raster: Raster,
  lineAt: (x: number) => number,
  colour: Colour,
  atBottom: Colour = colour,
): void {
  const { width, height } = raster;
  const lines = Float64Array.from({ length: width }, (_, x) => lineAt(x + 0.5));
  const highest = Math.max(0, Math.floor(Math.min(...lines)));
  const lowest = Math.max(...lines);
  const depth = Math.max(1, height - highest);
  for (let y = highest; y < height; y += 1) {
    const shade = colour === atBottom ? colour : mix(colour, atBottom, (y - highest) / depth);
    if (y >= lowest) {
      fillRow(raster, y, shade);
      continue;
    }
    const blend = blender(raster, shade);
    for (let x = 0; x < width; x += 1) {
      const cover = y + 1 - (lines[x] ?? 0);
      if (cover > 0) blend(y * width + x, cover < 1 ? cover : 1);
    }
  }
}

/** A round light that fades out towards its radius. */
export function paintGlow(
  raster: Raster,
  centre: { x: number; y: number; radius: number },
  colour: Colour,
  strength: number,
): void {
  const { x: cx, y: cy, radius } = centre;
  const lastY = Math.min(raster.height, cy + radius);
  const firstX = Math.max(0, Math.floor(cx - radius));
  const lastX = Math.min(raster.width, cx + radius);
  const blend = blender(raster, colour);
  for (let y = Math.max(0, Math.floor(cy - radius)); y < lastY; y += 1) {
    const square = (y - cy) * (y - cy);
    for (let x = firstX; x < lastX; x += 1) {
      const near = 1 - Math.sqrt((x - cx) * (x - cx) + square) / radius;
      if (near > 0) blend(y * raster.width + x, near * near * strength);
    }
  }
}

/** Lays one colour over a pixel, given its index. */
function blender({ pixels }: Raster, [red, green, blue]: Colour) {
  return (pixel: number, share: number): void => {
    const i = pixel * 3;
    const under = 1 - share;
    pixels[i] = red * share + (pixels[i] ?? 0) * under + 0.5;
    pixels[i + 1] = green * share + (pixels[i + 1] ?? 0) * under + 0.5;
    pixels[i + 2] = blue * share + (pixels[i + 2] ?? 0) * under + 0.5;
  };
}
