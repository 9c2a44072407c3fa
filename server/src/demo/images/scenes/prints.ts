import { darker, hex, lighter, mix } from '../colour.ts';
import { fill, fillGradient, paint, paintBelow } from '../raster.ts';
import { both, circle, ellipse, ring, roundedBox, without } from '../shapes.ts';
import { scene } from './scene.ts';

const inks = [
  ['#f4ecdd', '#e4572e', '#17bebb', '#2e282a', '#ffc914'],
  ['#fdf6ec', '#264653', '#e9c46a', '#e76f51', '#2a9d8f'],
  ['#efe9f4', '#5b3f8c', '#f28482', '#84a59d', '#f6bd60'],
  ['#15202b', '#f25f5c', '#ffe066', '#70c1b3', '#eef4ed'],
].map((row) => row.map(hex));

/** A grid of quarter circles, discs and arches. */
export const tiles = scene({
  palettes: inks,
  draw(raster, random, palette) {
    const { width, height } = raster;
    const across = Math.max(3, Math.round(width / 120));
    const size = width / across;
    fill(raster, palette[0] ?? [255, 255, 255]);
    for (let top = 0; top < height; top += size) {
      for (let column = 0; column < across; column += 1) {
        const left = column * size;
        const [ground, figure, accent] = random.shuffled(palette);
        if (ground === undefined || figure === undefined || accent === undefined) continue;
        const tile = roundedBox(left, top, size, size);
        paint(raster, tile, ground);
        const cornerX = left + (random.chance(0.5) ? size : 0);
        const cornerY = top + (random.chance(0.5) ? size : 0);
        switch (random.int(0, 4)) {
          case 0:
            paint(raster, both(circle(cornerX, cornerY, size), tile), figure);
            paint(raster, both(circle(cornerX, cornerY, size * 0.5), tile), accent);
            break;
          case 1:
            paint(raster, circle(left + size / 2, top + size / 2, size * 0.36), figure);
            break;
          case 2:
            for (const part of [0.9, 0.6, 0.3]) {
              const arch = both(circle(left + size / 2, top + size, size * 0.55 * part), tile);
              paint(raster, arch, part === 0.6 ? accent : figure);
            }
            break;
          case 3:
            for (let bar = 0; bar < 4; bar += 1) {
              paint(raster, roundedBox(left, top + (size * bar) / 4, size, size / 8), figure);
            }
            break;
          default:
            paint(raster, both(circle(cornerX, cornerY, size), tile), figure);
            paint(
              raster,
              both(
                circle(left + size - (cornerX - left), top + size - (cornerY - top), size * 0.42),
                tile,
              ),
              accent,
            );
        }
      }
    }
  },
});

/** Bands of paper, cut in waves and laid over each other. */
export const waves = scene({
  palettes: [
    ['#fbe3c8', '#f2a65a', '#eec170', '#f58549', '#772f1a', '#c8553d'],
    ['#e0f2f1', '#9ad1d4', '#5fa8d3', '#1b6ca8', '#0b3c5d', '#f2c14e'],
    ['#fde2e4', '#fad2e1', '#c5a3d9', '#7f6bb3', '#3d3270', '#ff9b85'],
    ['#f1f5e8', '#cfe0a8', '#8dbf6f', '#3f8f5b', '#1d4d3f', '#f4a259'],
  ].map((row) => row.map(hex)),
  draw(raster, random, palette) {
    const { width, height } = raster;
    const [paper, ...bands] = palette;
    const sun = bands.pop();
    if (paper === undefined || sun === undefined) return;
    fillGradient(raster, [lighter(paper, 0.3), paper]);
    paint(
      raster,
      circle(width * random.between(0.25, 0.75), height * 0.27, Math.min(width, height) * 0.15),
      sun,
    );
    const layers = 7;
    for (let layer = 0; layer < layers; layer += 1) {
      const share = layer / (layers - 1);
      const position = share * (bands.length - 1);
      const from = bands[Math.floor(position)] ?? sun;
      const colour = mix(from, bands[Math.ceil(position)] ?? from, position % 1);
      const phase = random.between(0, 6.28);
      const pitch = random.between(4, 8);
      const base = height * (0.36 + share * 0.52);
      const line = (x: number) =>
        base +
        height * 0.055 * Math.sin((x / width) * pitch + phase) +
        height * 0.02 * Math.sin((x / width) * pitch * 2.3 + phase);
      paintBelow(raster, (x) => line(x) - 3, darker(colour, 0.16));
      paintBelow(raster, line, colour);
    }
  },
});

/** Transparent discs of two or three inks that darken where they overlap. */
export const discs = scene({
  palettes: inks,
  draw(raster, random, palette) {
    const { width, height } = raster;
    const size = Math.min(width, height);
    const [paper, ...colours] = palette;
    fill(raster, paper ?? [255, 255, 255]);
    for (let index = 0; index < 7; index += 1) {
      const x = width * random.between(0.15, 0.85);
      const y = height * random.between(0.15, 0.85);
      const radius = size * random.between(0.12, 0.3);
      const colour = random.pick(colours);
      const style = random.unit();
      if (style < 0.5) paint(raster, circle(x, y, radius), colour, 0.82);
      else if (style < 0.7) {
        for (let part = 1; part > 0.1; part -= 0.22)
          paint(raster, ring(x, y, radius * part, size * 0.018), colour, 0.9);
      } else if (style < 0.85) {
        paint(
          raster,
          without(circle(x, y, radius), circle(x + radius * 0.45, y - radius * 0.2, radius)),
          colour,
          0.9,
        );
      } else {
        for (let dot = 0; dot < 36; dot += 1) {
          paint(
            raster,
            circle(
              x + ((dot % 6) - 2.5) * radius * 0.32,
              y + (Math.floor(dot / 6) - 2.5) * radius * 0.32,
              radius * 0.07,
            ),
            colour,
          );
        }
      }
    }
    paint(
      raster,
      ellipse(
        width * random.between(0.3, 0.7),
        height * random.between(0.3, 0.7),
        size * 0.34,
        size * 0.1,
        random.between(-1, 1),
      ),
      random.pick(colours),
      0.7,
    );
  },
});
