import { createHash } from 'node:crypto';
import type { Kind } from '../phrases/types.ts';
import { createRandom } from '../random.ts';
import { createRaster } from './raster.ts';
import type { Raster } from './raster.ts';
import { SCENES } from './scenes/index.ts';
import type { SceneName } from './scenes/index.ts';

/** A picture file of the demonstration, not yet drawn. */
export type Picture = {
  readonly key: string;
  readonly scene: SceneName;
  readonly variant: number;
  readonly width: number;
  readonly height: number;
};

const FORMATS = [
  [480, 360],
  [360, 480],
  [512, 288],
  [400, 400],
  [480, 320],
] as const;
const CARD_FORMAT = [400, 210] as const;

/** One picture for each palette of each scene, in changing formats. */
export const UPLOADS: readonly Picture[] = Object.entries(SCENES).flatMap(
  ([name, { palettes }], row) =>
    palettes.map((_, variant) => {
      const [width, height] = FORMATS[(row + variant) % FORMATS.length] ?? FORMATS[0];
      const scene = name as SceneName; // A key of the table it was read from.
      return { key: `uploads/demo/${scene}-${variant + 1}.png`, scene, variant, width, height };
    }),
);

/** Previews of the pages that cards link to, by what the author's site is about. */
export const CARD_PREVIEWS: Record<Kind, readonly Picture[]> = {
  person: preview(['waves', 1], ['coast', 3]),
  artist: preview(['tiles', 0], ['discs', 1]),
  cafe: preview(['cup', 1], ['bread', 2]),
  newsroom: preview(['skyline', 0], ['chart', 1], ['map', 2], ['ridges', 1]),
  software: preview(['code', 2], ['discs', 3]),
  culture: preview(['shelf', 1], ['tiles', 2]),
  club: preview(['track', 1], ['forest', 0]),
};

function preview(...scenes: (readonly [scene: SceneName, variant: number])[]): Picture[] {
  const [width, height] = CARD_FORMAT;
  return scenes.map(([scene, variant]) => {
    const hash = createHash('sha256').update(`${scene}/${variant}`).digest('hex');
    const key = `ogp-cache/${hash.slice(0, 2)}/${hash.slice(2, 16)}.png`;
    return { key, scene, variant, width, height };
  });
}

export function drawPicture({ key, scene, variant, width, height }: Picture): Raster {
  const raster = createRaster(width, height);
  const { palettes } = SCENES[scene];
  const palette = palettes[variant % palettes.length];
  SCENES[scene].draw(raster, createRandom(`picture/${key}`), palette);
  return raster;
}
