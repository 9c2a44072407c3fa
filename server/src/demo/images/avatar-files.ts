import type { Kind } from '../phrases/types.ts';
import { createRandom } from '../random.ts';
import { drawMark } from './avatars/mark.ts';
import type { MarkName } from './avatars/mark.ts';
import { drawPortrait } from './avatars/portrait.ts';
import { createRaster } from './raster.ts';
import type { Raster } from './raster.ts';
import { SCENES } from './scenes/index.ts';
import type { SceneName } from './scenes/index.ts';

/** What an avatar shows: a person, a landscape, a pet or plant, or the sign of a kind of house. */
export type PortraitOf = 'face' | 'view' | 'pet' | Kind;

const SIZE = 128;
const VIEWS: readonly SceneName[] = ['ridges', 'coast', 'night', 'forest', 'dunes', 'waves'];
const PETS: readonly SceneName[] = ['cat', 'leaves'];
const SIGNS: Record<Kind, readonly MarkName[]> = {
  person: ['moon', 'petals'],
  artist: ['petals', 'moon', 'arch'],
  cafe: ['cup', 'loaf'],
  newsroom: ['sheet', 'signal'],
  software: ['brackets', 'nodes'],
  culture: ['book', 'arch'],
  club: ['wheel', 'peak'],
};

export function avatarKey(userId: string): string {
  return `avatars/demo/${userId}.png`;
}

export function drawAvatar(seed: string, portraitOf: PortraitOf): Raster {
  const random = createRandom(`avatar/${seed}`);
  const raster = createRaster(SIZE, SIZE);
  if (portraitOf === 'face') {
    drawPortrait(raster, random);
  } else if (portraitOf === 'view' || portraitOf === 'pet') {
    const scene = SCENES[random.pick(portraitOf === 'view' ? VIEWS : PETS)];
    scene.draw(raster, random, random.pick(scene.palettes));
  } else {
    drawMark(raster, random, random.pick(SIGNS[portraitOf]));
  }
  return raster;
}
