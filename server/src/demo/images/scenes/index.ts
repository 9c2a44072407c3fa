import { coast, dunes, forest, leaves, night, ridges } from './nature.ts';
import { discs, tiles, waves } from './prints.ts';
import type { Scene } from './scene.ts';
import { chart, code } from './screens.ts';
import { bread, cat, cup } from './table.ts';
import { map, shelf, skyline, track } from './town.ts';

export const SCENES = {
  ridges,
  coast,
  forest,
  dunes,
  night,
  leaves,
  skyline,
  map,
  track,
  shelf,
  cup,
  bread,
  cat,
  tiles,
  waves,
  discs,
  code,
  chart,
} satisfies Record<string, Scene>;
export type SceneName = keyof typeof SCENES;
