import type { Random } from '../../random.ts';
import { hex, lighter, mix } from '../colour.ts';
import type { Colour } from '../colour.ts';
import { fillGradient, paint } from '../raster.ts';
import type { Raster } from '../raster.ts';
import { both, circle, polygon, ring, roundedBox, stroke, without } from '../shapes.ts';
import type { Shape } from '../shapes.ts';

const PAIRS = [
  ['#1d3557', '#f1faee', '#e63946'],
  ['#f4f1ea', '#2f4858', '#f26419'],
  ['#0f4c5c', '#fbf2e3', '#fb8b24'],
  ['#ffd166', '#2b2d42', '#ef476f'],
  ['#2d3142', '#f5f5f0', '#4fb0c6'],
  ['#e8ddcb', '#3b2c35', '#8a9b68'],
  ['#43281c', '#f4e4c9', '#d98e04'],
  ['#e0475b', '#fff4e8', '#fcbf49'],
  ['#dbe9ee', '#166088', '#4a6fa5'],
  ['#31572c', '#ecf39e', '#f7b267'],
  ['#5a189a', '#f3e8ff', '#ff9e00'],
  ['#111827', '#34d399', '#f9fafb'],
].map((row) => row.map(hex));

type Draw = (shape: Shape, colour: Colour, opacity?: number) => void;
type Ink = { ground: Colour; figure: Colour; accent: Colour };
type Mark = (draw: Draw, ink: Ink, random: Random) => void;

export type MarkName = keyof typeof MARKS;

/** The sign of a house, for a canvas of 128 by 128: one symbol, three colours. */
export function drawMark(raster: Raster, random: Random, name: MarkName): void {
  const [first, second, third] = random.pick(PAIRS);
  const ground = first ?? [0, 0, 0];
  const figure = second ?? ground;
  fillGradient(raster, [lighter(ground, 0.06), ground]);
  const draw: Draw = (shape, colour, opacity) => paint(raster, shape, colour, opacity);
  MARKS[name](draw, { ground, figure, accent: third ?? figure }, random);
}

const MARKS = {
  cup(draw, { figure, accent, ground }, random) {
    draw(ring(88, 66, 12, 6), figure);
    draw(roundedBox(34, 48, 50, 44, 14), figure);
    draw(roundedBox(34, 48, 50, 20, 2), figure);
    draw(roundedBox(28, 96, 62, 6, 3), figure);
    const swirls = random.int(2, 3);
    for (let index = 0; index < swirls; index += 1) {
      const x = 60 - (swirls - 1) * 8 + index * 16;
      draw(stroke(x, 40, x + 3, 33, 4), accent);
      draw(stroke(x + 3, 33, x, 25, 4), accent);
    }
    if (random.chance(0.5)) draw(circle(59, 70, 8), mix(figure, ground, 0.85));
  },
  loaf(draw, { figure, accent, ground }) {
    draw(both(circle(64, 78, 40), roundedBox(0, 0, 128, 88, 0)), figure);
    draw(roundedBox(24, 78, 80, 18, 8), figure);
    for (const x of [46, 64, 82]) draw(stroke(x + 6, 52, x - 4, 72, 6), ground);
    draw(roundedBox(24, 104, 80, 5, 2.5), accent);
  },
  sheet(draw, { figure, accent, ground }, random) {
    draw(roundedBox(30, 24, 68, 80, 8), figure);
    draw(roundedBox(38, 33, 52, 8, 3), accent);
    draw(roundedBox(38, 48, 24, 24, 3), mix(figure, ground, 0.6));
    for (let row = 0; row < 4; row += 1) {
      const isBeside = row < 2;
      draw(
        roundedBox(
          isBeside ? 68 : 38,
          49 + row * 12 + (isBeside ? 0 : 4),
          isBeside ? 22 : random.between(36, 52),
          5,
          2.5,
        ),
        mix(figure, ground, 0.75),
      );
    }
  },
  signal(draw, { figure, accent }, random) {
    const turn = random.chance(0.5);
    const corner = turn ? 34 : 94;
    const quadrant = roundedBox(turn ? 34 : 0, 0, 94, 94);
    for (const radius of [26, 44, 62]) draw(both(ring(corner, 94, radius, 9), quadrant), figure);
    draw(circle(corner, 94, 10), accent);
  },
  brackets(draw, { figure, accent }, random) {
    for (const side of [-1, 1]) {
      draw(stroke(64 + side * 18, 40, 64 + side * 40, 64, 9), figure);
      draw(stroke(64 + side * 40, 64, 64 + side * 18, 88, 9), figure);
    }
    if (random.chance(0.5)) draw(stroke(71, 38, 57, 90, 8), accent);
    else draw(circle(64, 64, 9), accent);
  },
  nodes(draw, { figure, accent }, random) {
    const points = Array.from({ length: 6 }, (_, index) => {
      const turn = (index / 6) * Math.PI * 2 + 0.52;
      return [64 + Math.cos(turn) * 38, 64 + Math.sin(turn) * 38] as const;
    });
    const skip = random.pick([1, 3]);
    for (const [index, [x, y]] of points.entries()) {
      const [tx, ty] = points[(index + skip) % 6] ?? [x, y];
      draw(stroke(x, y, tx, ty, 4.5), figure, 0.9);
    }
    for (const [index, [x, y]] of points.entries())
      draw(circle(x, y, 9), index % 2 === 0 ? accent : figure);
  },
  book(draw, { figure, accent, ground }) {
    draw(polygon([22, 40], [64, 48], [64, 100], [22, 90]), figure);
    draw(polygon([64, 48], [106, 40], [106, 90], [64, 100]), mix(figure, ground, 0.18));
    draw(roundedBox(61.5, 46, 5, 54, 2), accent);
    for (const y of [56, 66, 76]) {
      draw(stroke(31, y - 5, 55, y, 3), mix(figure, ground, 0.6));
      draw(stroke(97, y - 5, 73, y, 3), mix(figure, ground, 0.6));
    }
    draw(circle(64, 30, 7), accent);
  },
  arch(draw, { figure, accent, ground }) {
    draw(roundedBox(26, 94, 76, 8, 2), figure);
    for (const [radius, colour] of [
      [36, figure],
      [26, accent],
      [16, ground],
    ] as const) {
      draw(both(circle(64, 62, radius), roundedBox(0, 0, 128, 62)), colour);
      draw(roundedBox(64 - radius, 61, radius * 2, 34), colour);
    }
  },
  wheel(draw, { figure, accent }, random) {
    draw(ring(64, 64, 38, 8), figure);
    const spokes = random.pick([8, 10, 12]);
    for (let index = 0; index < spokes; index += 1) {
      const turn = (index / spokes) * Math.PI * 2;
      draw(stroke(64, 64, 64 + Math.cos(turn) * 36, 64 + Math.sin(turn) * 36, 2.6), figure);
    }
    draw(circle(64, 64, 9), accent);
  },
  peak(draw, { figure, accent, ground }) {
    draw(circle(86, 40, 13), accent);
    draw(polygon([50, 32], [92, 100], [10, 100]), figure);
    draw(polygon([88, 58], [118, 100], [62, 100]), mix(figure, ground, 0.3));
    draw(polygon([50, 32], [60.5, 49], [39.5, 49]), lighter(accent, 0.5));
  },
  petals(draw, { figure, accent }, random) {
    const count = random.pick([5, 6, 8]);
    for (let index = 0; index < count; index += 1) {
      const turn = (index / count) * Math.PI * 2 - Math.PI / 2;
      draw(circle(64 + Math.cos(turn) * 24, 64 + Math.sin(turn) * 24, 17), figure, 0.78);
    }
    draw(circle(64, 64, 11), accent);
  },
  moon(draw, { figure, accent }) {
    draw(without(circle(60, 64, 38), circle(76, 54, 33)), figure);
    for (const [x, y, r] of [
      [88, 46, 5],
      [98, 68, 3.5],
      [80, 74, 3],
    ] as const)
      draw(circle(x, y, r), accent);
  },
} satisfies Record<string, Mark>;
