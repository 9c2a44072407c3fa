import type { Random } from '../../random.ts';
import { darker, hex, lighter, mix } from '../colour.ts';
import type { Colour } from '../colour.ts';
import { fillGradient, paint } from '../raster.ts';
import type { Raster } from '../raster.ts';
import { both, circle, ellipse, polygon, ring, roundedBox, stroke, without } from '../shapes.ts';
import type { Shape } from '../shapes.ts';

const GROUNDS = [
  '#f6c945',
  '#f28f6b',
  '#7fb7be',
  '#9c89b8',
  '#c9d8b6',
  '#f4b6c2',
  '#5b8e7d',
  '#8ab6f9',
  '#e8d7c3',
  '#d8617a',
  '#6c8ead',
  '#b5c99a',
].map(hex);
const SKINS = [
  '#f7d7c4',
  '#f0c3a0',
  '#dfa67b',
  '#c98a5e',
  '#a86b43',
  '#8a5234',
  '#6b3e28',
  '#4d2c1e',
].map(hex);
const HAIRS = [
  '#1f1a1c',
  '#2d211c',
  '#4a2f23',
  '#6b4327',
  '#a8743f',
  '#d9b36c',
  '#8f3f26',
  '#b9b4ae',
  '#5a5560',
].map(hex);
const CLOTHES = [
  '#2f3e5c',
  '#e4e0d8',
  '#b4443f',
  '#3f7d6b',
  '#f0b429',
  '#6b4c7d',
  '#27323a',
  '#5e8ab4',
  '#d98e73',
  '#88976b',
].map(hex);

type HairStyle =
  | 'short'
  | 'crop'
  | 'long'
  | 'bob'
  | 'bun'
  | 'afro'
  | 'bald'
  | 'scarf'
  | 'beanie'
  | 'curls';
const STYLES: readonly (readonly [HairStyle, number])[] = [
  ['short', 5],
  ['crop', 3],
  ['long', 5],
  ['bob', 3],
  ['bun', 3],
  ['afro', 2],
  ['bald', 1],
  ['scarf', 2],
  ['beanie', 2],
  ['curls', 2],
];

type Look = { skin: Colour; hair: Colour; cloth: Colour; style: HairStyle };

/** A flat drawing of a person who does not exist, for a canvas of 128 by 128. */
export function drawPortrait(raster: Raster, random: Random): void {
  const draw: Draw = (shape, colour, opacity) => paint(raster, shape, colour, opacity);
  const ground = random.pick(GROUNDS);
  const tone = random.int(0, SKINS.length - 1);
  const look: Look = {
    skin: SKINS[tone] ?? ground,
    // Fair hair goes with the fairer half of the tones only.
    hair: tone < 4 ? random.pick(HAIRS) : random.pick(HAIRS.slice(0, 3)),
    cloth: random.pick(CLOTHES.filter((cloth) => cloth[0] !== ground[0])),
    style: random.weighted(STYLES),
  };
  fillGradient(raster, [lighter(ground, 0.12), ground]);
  if (random.chance(0.35)) draw(circle(64, 70, 50), lighter(ground, 0.3));
  drawHairBehind(draw, look);
  drawBody(draw, look, random);
  drawFace(draw, look, random);
  drawHairInFront(draw, look, random);
  if (random.chance(0.24)) drawGlasses(draw, darker(look.hair, 0.3));
}

type Draw = (shape: Shape, colour: Colour, opacity?: number) => void;

function drawHairBehind(draw: Draw, { style, hair, cloth }: Look): void {
  if (style === 'long') draw(roundedBox(36, 32, 56, 76, 26), hair);
  if (style === 'bob') draw(roundedBox(35, 32, 58, 52, 24), hair);
  if (style === 'bun') draw(circle(64, 25, 13), hair);
  if (style === 'afro') draw(circle(64, 50, 38), hair);
  if (style === 'scarf') draw(roundedBox(34, 26, 60, 84, 30), cloth);
  if (style === 'curls') {
    for (const [x, y] of [
      [40, 46],
      [38, 60],
      [41, 74],
      [88, 46],
      [90, 60],
      [87, 74],
      [50, 34],
      [78, 34],
      [64, 30],
    ] as const) {
      draw(circle(x, y, 12), hair);
    }
  }
}

function drawBody(draw: Draw, { skin, cloth, style }: Look, random: Random): void {
  draw(roundedBox(53, 76, 22, 32, 9), darker(skin, 0.12));
  draw(ellipse(64, 140, 48, 42), style === 'scarf' ? mix(cloth, [255, 255, 255], 0.25) : cloth);
  if (style === 'scarf') {
    draw(ellipse(64, 100, 30, 16), cloth);
    return;
  }
  const collar = random.int(0, 3);
  if (collar === 0) draw(ellipse(64, 98, 15, 10), skin);
  if (collar === 1) draw(polygon([50, 96], [78, 96], [64, 116]), skin);
  if (collar === 2) {
    draw(ellipse(64, 100, 17, 9), darker(cloth, 0.2));
    draw(ellipse(64, 97, 13, 8), darker(skin, 0.12));
  }
  if (random.chance(0.3)) {
    for (const y of [112, 120])
      draw(both(roundedBox(10, y, 108, 3.5), ellipse(64, 140, 48, 42)), lighter(cloth, 0.35));
  }
}

function drawFace(draw: Draw, { skin, hair, style }: Look, random: Random): void {
  if (style !== 'scarf') for (const x of [41, 87]) draw(circle(x, 63, 5), darker(skin, 0.06));
  draw(ellipse(64, 60, 23, 27), skin);
  const hasBeard =
    (style === 'short' || style === 'bald' || style === 'crop' || style === 'beanie') &&
    random.chance(0.4);
  if (hasBeard) draw(without(ellipse(64, 62, 23.5, 27), ellipse(64, 51, 27, 22)), hair);
  const ink = darker(mix(hair, [30, 22, 22], 0.6), 0.2);
  for (const side of [-1, 1]) {
    draw(ellipse(64 + side * 9, 60, 2.3, 2.8), ink);
    draw(
      stroke(64 + side * 5.5, 53.5, 64 + side * 13, 53 + side * random.between(-0.6, 0.6), 1.8),
      mix(hair, skin, 0.15),
      0.9,
    );
    draw(circle(64 + side * 14, 68, 4.5), mix(skin, [226, 90, 90], 0.35), 0.45);
  }
  draw(stroke(64, 62, 63, 67, 1.8), darker(skin, 0.16));
  const smile = hasBeard ? lighter(skin, 0.1) : mix(ink, [190, 70, 70], 0.55);
  draw(both(ring(64, 69, 7, 2), roundedBox(54, 71.5, 20, 10)), smile);
}

function drawHairInFront(draw: Draw, { style, hair, cloth }: Look, random: Random): void {
  const parting = random.between(-9, 9);
  const cap = without(ellipse(64, 57, 25, 28.5), ellipse(64 + parting, 74, 27, 29));
  if (style === 'bald') return;
  if (style === 'scarf') {
    draw(without(ellipse(64, 60, 30, 35), ellipse(64, 62, 21.5, 25)), cloth);
  } else if (style === 'beanie') {
    draw(both(ellipse(64, 50, 27, 28), roundedBox(30, 15, 68, 33)), cloth);
    draw(roundedBox(36, 42, 56, 10, 5), darker(cloth, 0.2));
    draw(circle(64, 21, 6), lighter(cloth, 0.4));
  } else if (style === 'crop') {
    draw(without(ellipse(64, 57, 24, 28), ellipse(64, 78, 32, 36)), hair);
  } else if (style === 'afro' || style === 'curls') {
    draw(without(ellipse(64, 52, 27, 26), ellipse(64, 70, 24, 26)), hair);
  } else {
    draw(cap, hair);
  }
}

function drawGlasses(draw: Draw, colour: Colour): void {
  for (const x of [54, 74]) draw(ring(x, 60, 7.5, 1.8), colour);
  draw(stroke(61.5, 59, 66.5, 59, 1.8), colour);
}
