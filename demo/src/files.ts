import awkward from '../data/awkward.json' with { type: 'json' };
import { PICTURES } from './languages.ts';
import type { Motif } from './languages.ts';

/** How many avatars there are: of people, of landscapes and pets, and for organizations. */
const AVATARS = { person: 32, view: 9, cafe: 6, newsroom: 6, software: 6, culture: 6, club: 6 };

export type Picture = { key: string; motif: Motif; width: number; height: number };

export const ALL_PICTURES: readonly Picture[] = Object.entries(PICTURES).flatMap(
  ([name, { sizes }]) =>
    sizes.map(([width = 0, height = 0], index) => ({
      key: `uploads/demo/${name}-${index + 1}.webp`,
      motif: name as Motif, // A key of the object it was read from.
      width,
      height,
    })),
);

export function avatarKey(kind: keyof typeof AVATARS, index: number): string {
  return `avatars/demo/${kind}-${(index % AVATARS[kind]) + 1}.webp`;
}

/** Every object that users and posts refer to, and the file to store under its key. */
export function demoFiles(): { key: string; file: URL }[] {
  const avatars = Object.entries(AVATARS).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, index) => `avatars/${kind}-${index + 1}.webp`),
  );
  return [
    ...ALL_PICTURES.map(({ key }) => [key, key.replace('uploads/demo/', 'pictures/')]),
    ...avatars.map((name) => [name.replace('avatars/', 'avatars/demo/'), name]),
    ...Object.entries(awkward.files).map(([key, name]) => [key, `${name}.webp`]),
  ].map(([key = '', name = '']) => ({ key, file: new URL(`../${name}`, import.meta.url) }));
}
