import { darker, lighter, mix } from '../colour.ts';
import { randomCurve } from '../noise.ts';
import { fillGradient, paint, paintBelow, paintGlow } from '../raster.ts';
import { circle, ellipse, polygon, roundedBox, without } from '../shapes.ts';
import { colours, scene } from './scene.ts';

const skies = [
  colours({ top: '#2b3a67', low: '#f6b48f', light: '#fff1d6', far: '#a07f9c', near: '#1f2a44' }),
  colours({ top: '#7fb2d9', low: '#f4efe2', light: '#fffdf2', far: '#a9c3cf', near: '#2f5d50' }),
  colours({ top: '#59376b', low: '#f2907c', light: '#ffdc9c', far: '#b96a83', near: '#2a1f3d' }),
  colours({ top: '#1f6f8b', low: '#e9d8a6', light: '#fff4cf', far: '#83b0a5', near: '#183a37' }),
];

export const ridges = scene({
  palettes: skies,
  draw(raster, random, { top, low, light, far, near }) {
    const { width, height } = raster;
    fillGradient(raster, [top, mix(top, low, 0.6), low, low]);
    const sun = { x: width * random.between(0.25, 0.75), y: height * random.between(0.22, 0.34) };
    paintGlow(raster, { ...sun, radius: height * 0.75 }, light, 0.7);
    paint(raster, circle(sun.x, sun.y, height * 0.06), light);
    const layers = 5;
    for (let layer = 0; layer < layers; layer += 1) {
      const share = layer / (layers - 1);
      const curve = randomCurve(random, 5);
      const base = height * (0.5 + share * 0.34);
      const swing = height * (0.3 - share * 0.1);
      const colour = mix(far, near, share ** 1.2);
      const line = (x: number) => base - swing * (curve((x / width) * (3 + layer)) - 0.35);
      paintBelow(raster, line, colour, mix(colour, low, 0.28 * (1 - share)));
    }
  },
});

export const coast = scene({
  palettes: [
    colours({
      top: '#3a4a8a',
      low: '#ffb88a',
      light: '#fff0c9',
      sea: '#4f6fa5',
      deep: '#1c2b52',
      land: '#1b1f3b',
    }),
    colours({
      top: '#8ec5e8',
      low: '#eef6f3',
      light: '#ffffff',
      sea: '#4ba3b7',
      deep: '#17607a',
      land: '#35564d',
    }),
    colours({
      top: '#6b2d5c',
      low: '#ff9e6d',
      light: '#ffe3a9',
      sea: '#a4506b',
      deep: '#3b1c4a',
      land: '#22112f',
    }),
    colours({
      top: '#c9d6df',
      low: '#f7f2e9',
      light: '#fffaf0',
      sea: '#8fa9b5',
      deep: '#4e6b7a',
      land: '#3a4750',
    }),
  ],
  draw(raster, random, { top, low, light, sea, deep, land }) {
    const { width, height } = raster;
    const horizon = Math.round(height * random.between(0.5, 0.6));
    fillGradient(raster, [top, mix(top, low, 0.75), low]);
    const x = width * random.between(0.35, 0.65);
    const y = horizon - height * random.between(0.05, 0.16);
    paintGlow(raster, { x, y, radius: height * 0.7 }, light, 0.75);
    paint(raster, circle(x, y, height * 0.075), light);
    paintBelow(raster, () => horizon, mix(sea, low, 0.25), deep);
    // The sun's path on the water: short strokes that grow wider and rarer towards the viewer.
    for (let row = 0; row < 26; row += 1) {
      const depth = (row / 26) ** 1.5;
      const reach = width * (0.025 + depth * 0.13) * random.between(0.5, 1);
      const shift = width * random.between(-0.03, 0.03) * (0.3 + depth);
      const strokeY = horizon + 3 + depth * (height - horizon) * 0.92;
      const thick = 1.2 + depth * 4;
      paint(
        raster,
        roundedBox(x + shift - reach, strokeY, reach * 2, thick, thick / 2),
        light,
        0.55 - depth * 0.3,
      );
    }
    for (const side of random.shuffled([0, 1]).slice(0, random.int(1, 2))) {
      const curve = randomCurve(random, 4);
      const slope = (px: number) => (side === 0 ? px / width : 1 - px / width) / 0.42;
      const line = (px: number) =>
        slope(px) > 1
          ? height
          : horizon + 3 - height * 0.2 * (1 - slope(px)) * (0.45 + curve((px / width) * 5));
      const shore = (px: number) => Math.min(line(px), horizon + 4);
      for (let px = 0; px < width; px += 1) {
        if (slope(px + 0.5) > 1) continue;
        paint(raster, roundedBox(px, shore(px + 0.5), 1, horizon + 4 - shore(px + 0.5)), land);
      }
    }
  },
});

export const forest = scene({
  palettes: [
    colours({ top: '#dfe9e6', low: '#f5f3e7', tree: '#1f3d36' }),
    colours({ top: '#f3c9a5', low: '#fbe9d0', tree: '#3a2a3f' }),
    colours({ top: '#8fb4c9', low: '#e3eef0', tree: '#14324a' }),
  ],
  draw(raster, random, { top, low, tree }) {
    const { width, height } = raster;
    fillGradient(raster, [top, low, low]);
    const x = width * random.between(0.2, 0.8);
    paintGlow(raster, { x, y: height * 0.25, radius: height * 0.6 }, lighter(low, 0.6), 0.9);
    for (let layer = 0; layer < 4; layer += 1) {
      const share = (layer + 1) / 4;
      const colour = mix(low, tree, share ** 1.4);
      const curve = randomCurve(random, 3);
      const ground = (px: number) =>
        height * (0.5 + share * 0.42) - height * 0.12 * curve((px / width) * 3);
      const size = height * (0.1 + share * 0.2);
      for (let px = -size; px < width + size; px += size * random.between(0.22, 0.5)) {
        const tall = size * random.between(0.8, 1.5);
        const foot = ground(px) + size * 0.2;
        for (const [from, to, reach] of [
          [0, 0.5, 0.13],
          [0.25, 0.78, 0.19],
          [0.5, 1.02, 0.25],
        ] as const) {
          const peak = foot - tall * (1 - from);
          const base = foot - tall * (1 - to);
          paint(
            raster,
            polygon([px, peak], [px + tall * reach, base], [px - tall * reach, base]),
            colour,
          );
        }
      }
      paintBelow(raster, ground, colour, mix(colour, low, 0.35 * (1 - share)));
    }
  },
});

export const dunes = scene({
  palettes: [
    colours({ top: '#f7d9b0', low: '#fbeedb', lit: '#e9a96a', shade: '#8a4f3a' }),
    colours({ top: '#4b5d8c', low: '#f0b7a4', lit: '#c9796b', shade: '#3d2c4d' }),
    colours({ top: '#a7d3e0', low: '#f4f1de', lit: '#e6c48f', shade: '#a37a52' }),
  ],
  draw(raster, random, { top, low, lit, shade }) {
    const { width, height } = raster;
    fillGradient(raster, [top, low, low]);
    paint(
      raster,
      circle(width * random.between(0.2, 0.8), height * 0.22, height * 0.07),
      lighter(low, 0.7),
    );
    for (let layer = 0; layer < 4; layer += 1) {
      const share = layer / 3;
      const phase = random.between(0, 6);
      const base = height * (0.42 + share * 0.36);
      const line = (x: number) =>
        base +
        height * 0.07 * Math.sin((x / width) * (3.2 - share) + phase) +
        height * 0.03 * Math.sin((x / width) * 7 + phase * 2);
      paintBelow(
        raster,
        line,
        mix(low, lit, 0.35 + share * 0.65),
        mix(lit, shade, 0.35 + share * 0.4),
      );
      // The lee side falls away from the crest in shadow.
      const lee = (x: number) =>
        line(x) + height * 0.2 * Math.max(0, Math.sin((x / width) * 4.6 + phase)) ** 0.5 + 2;
      paintBelow(
        raster,
        lee,
        mix(lit, shade, 0.25 + share * 0.5),
        mix(lit, shade, 0.55 + share * 0.4),
      );
    }
  },
});

export const night = scene({
  palettes: [
    colours({ top: '#0b1026', low: '#3d4f86', light: '#f8f3d9', land: '#070a17' }),
    colours({ top: '#101a2f', low: '#2f7f82', light: '#eafff4', land: '#06121a' }),
    colours({ top: '#1d1135', low: '#8a4f8d', light: '#ffe9f0', land: '#0d0719' }),
  ],
  draw(raster, random, { top, low, light, land }) {
    const { width, height } = raster;
    fillGradient(raster, [top, mix(top, low, 0.35), low]);
    const stars = Math.round((width * height) / 900);
    for (let star = 0; star < stars; star += 1) {
      const size = random.unit() ** 4 * 1.3 + 0.35;
      const y = height * random.unit() ** 1.4 * 0.85;
      paint(raster, circle(width * random.unit(), y, size), light, random.between(0.35, 0.95));
    }
    const moon = { x: width * random.between(0.2, 0.8), y: height * random.between(0.18, 0.32) };
    paintGlow(raster, { ...moon, radius: height * 0.4 }, light, 0.35);
    const shadow = circle(moon.x + height * 0.035, moon.y - height * 0.015, height * 0.066);
    paint(raster, without(circle(moon.x, moon.y, height * 0.075), shadow), light);
    const far = randomCurve(random, 4);
    const near = randomCurve(random, 5);
    paintBelow(raster, (x) => height * (0.88 - 0.22 * far((x / width) * 3)), mix(land, low, 0.22));
    paintBelow(raster, (x) => height * (0.98 - 0.2 * near((x / width) * 4)), land);
  },
});

export const leaves = scene({
  palettes: [
    colours({ wall: '#efe7da', pot: '#c8704d', leaf: '#3f7d58', dark: '#285a42' }),
    colours({ wall: '#dce7ec', pot: '#33475b', leaf: '#5a9367', dark: '#356c52' }),
    colours({ wall: '#f7dfd4', pot: '#e9b44c', leaf: '#2f6f6d', dark: '#1d4d50' }),
  ],
  draw(raster, random, { wall, pot, leaf, dark }) {
    const { width, height } = raster;
    const size = Math.min(width, height);
    const cx = width * random.between(0.44, 0.56);
    const rim = height * 0.68;
    fillGradient(raster, [lighter(wall, 0.35), wall]);
    paintBelow(raster, () => height * 0.86, darker(wall, 0.12), darker(wall, 0.2));
    paint(
      raster,
      ellipse(cx + size * 0.05, height * 0.9, size * 0.26, size * 0.03),
      darker(wall, 0.35),
      0.6,
    );
    for (let index = 0; index < 11; index += 1) {
      const turn = -Math.PI / 2 + (index - 5) * 0.27 + random.between(-0.08, 0.08);
      const reach = size * (0.25 + 0.13 * Math.cos((index - 5) * 0.45)) * random.between(0.9, 1.15);
      const x = cx + Math.cos(turn) * reach;
      const y = rim + Math.sin(turn) * reach;
      const colour = mix(leaf, dark, (index * 0.37) % 1);
      paint(raster, ellipse(x, y, size * 0.19, size * 0.055, turn), colour);
      paint(raster, ellipse(x, y, size * 0.17, size * 0.004, turn), lighter(colour, 0.25), 0.7);
    }
    const half = size * 0.17;
    paint(
      raster,
      polygon(
        [cx - half, rim],
        [cx + half, rim],
        [cx + half * 0.72, height * 0.9],
        [cx - half * 0.72, height * 0.9],
      ),
      pot,
    );
    paint(
      raster,
      polygon(
        [cx + half * 0.2, rim],
        [cx + half, rim],
        [cx + half * 0.72, height * 0.9],
        [cx + half * 0.12, height * 0.9],
      ),
      darker(pot, 0.12),
    );
    paint(
      raster,
      roundedBox(cx - half * 1.12, rim - size * 0.03, half * 2.24, size * 0.065, 3),
      lighter(pot, 0.08),
    );
  },
});
