import type { Random } from '../../random.ts';
import { hex } from '../colour.ts';
import type { Colour } from '../colour.ts';
import type { Raster } from '../raster.ts';

/** One kind of picture; each palette makes another one of it. */
export type Scene<Palette = unknown> = {
  readonly palettes: readonly Palette[];
  draw(raster: Raster, random: Random, palette: Palette): void;
};

/** Keeps the palette's type between the list and the drawing. */
export function scene<Palette>(one: Scene<Palette>): Scene {
  return {
    palettes: one.palettes,
    // The only palettes that reach this are the scene's own.
    draw: (raster, random, palette) => one.draw(raster, random, palette as Palette),
  };
}

export function colours<const Names extends string>(
  values: Record<Names, string>,
): Record<Names, Colour> {
  const entries = Object.entries<string>(values).map(([name, value]) => [name, hex(value)]);
  return Object.fromEntries(entries) as Record<Names, Colour>; // Same names, parsed values.
}
