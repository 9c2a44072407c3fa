import { darker, lighter, mix } from '../colour.ts';
import { fill, fillGradient, paint } from '../raster.ts';
import { circle, roundedBox, stroke } from '../shapes.ts';
import { colours, scene } from './scene.ts';

/** An editor window with lines of code, too small to read and easy to recognise. */
export const code = scene({
  palettes: [
    colours({
      desk: '#5b7db1',
      desk2: '#8e6fb0',
      window: '#1e2430',
      text: '#aab4c4',
      key: '#ff7b93',
      call: '#7cc7ff',
      word: '#a7e08a',
    }),
    colours({
      desk: '#f0a26b',
      desk2: '#d9607a',
      window: '#fbfaf7',
      text: '#8a8f99',
      key: '#b3345f',
      call: '#2667b5',
      word: '#2c8a54',
    }),
    colours({
      desk: '#2e8b7a',
      desk2: '#274d6f',
      window: '#12181c',
      text: '#93a4a8',
      key: '#f2b25c',
      call: '#57d3c0',
      word: '#e5e27a',
    }),
  ],
  draw(raster, random, { desk, desk2, window, text, key, call, word }) {
    const { width, height } = raster;
    const size = Math.min(width, height);
    fillGradient(raster, [desk, mix(desk, desk2, 0.5), desk2]);
    const left = width * 0.08;
    const top = height * 0.1;
    paint(
      raster,
      roundedBox(left + 4, top + 10, width * 0.84, height * 0.8, size * 0.03),
      [10, 12, 20],
      0.28,
    );
    paint(raster, roundedBox(left, top, width * 0.84, height * 0.8, size * 0.03), window);
    for (const [index, colour] of (['#ff5f57', '#febc2e', '#28c840'] as const).entries()) {
      const value = Number.parseInt(colour.slice(1), 16);
      paint(raster, circle(left + size * (0.05 + index * 0.042), top + size * 0.05, size * 0.013), [
        value >> 16,
        (value >> 8) & 255,
        value & 255,
      ]);
    }
    const step = size * 0.05;
    let depth = 0;
    for (let y = top + size * 0.12; y < top + height * 0.8 - step; y += step) {
      paint(raster, roundedBox(left + size * 0.035, y, size * 0.022, step * 0.3, 2), text, 0.35);
      if (random.chance(0.14)) continue;
      let x = left + size * (0.1 + depth * 0.05);
      const end = left + width * 0.78;
      for (let part = random.int(1, 5); part > 0 && x < end; part -= 1) {
        const wide = Math.min(size * random.between(0.04, 0.2), end - x);
        const colour = random.weighted([
          [text, 4],
          [key, 2],
          [call, 2],
          [word, 2],
        ] as const);
        if (wide > size * 0.02)
          paint(raster, roundedBox(x, y, wide, step * 0.38, step * 0.19), colour, 0.95);
        x += wide + size * 0.018;
      }
      depth = Math.min(3, Math.max(0, depth + random.pick([-1, 0, 0, 1])));
    }
  },
});

/** Bars and a line, as a newsroom prints them. */
export const chart = scene({
  palettes: [
    colours({ paper: '#fdfaf4', ink: '#2b2f38', bar: '#b9c7d8', high: '#c8453b' }),
    colours({ paper: '#10202e', ink: '#dce7ef', bar: '#2f5873', high: '#ffb74d' }),
    colours({ paper: '#eef5ef', ink: '#263b33', bar: '#a9cdb6', high: '#1f7a53' }),
  ],
  draw(raster, random, { paper, ink, bar, high }) {
    const { width, height } = raster;
    const size = Math.min(width, height);
    fill(raster, paper);
    const left = width * 0.09;
    const right = width * 0.93;
    const foot = height * 0.84;
    paint(
      raster,
      roundedBox(left, height * 0.08, width * random.between(0.4, 0.55), size * 0.042, 3),
      ink,
    );
    paint(
      raster,
      roundedBox(
        left,
        height * 0.08 + size * 0.07,
        width * random.between(0.25, 0.35),
        size * 0.024,
        3,
      ),
      ink,
      0.45,
    );
    for (let line = 0; line < 5; line += 1) {
      const y = foot - (line * (foot - height * 0.28)) / 4;
      paint(
        raster,
        roundedBox(left, y, right - left, line === 0 ? 2 : 1),
        ink,
        line === 0 ? 0.8 : 0.16,
      );
    }
    const count = random.int(9, 14);
    const step = (right - left) / count;
    let level = random.between(0.4, 0.6);
    const tops: { x: number; y: number }[] = [];
    for (let index = 0; index < count; index += 1) {
      level = Math.min(0.97, Math.max(0.3, level + random.between(-0.12, 0.16)));
      const tall = (foot - height * 0.28) * level;
      const x = left + step * index + step * 0.16;
      paint(
        raster,
        roundedBox(x, foot - tall, step * 0.68, tall, 2),
        index >= count - 2 ? high : bar,
      );
      paint(
        raster,
        roundedBox(x + step * 0.12, foot + size * 0.025, step * 0.44, size * 0.016, 2),
        ink,
        0.35,
      );
      tops.push({ x: x + step * 0.34, y: foot - tall * 0.72 - size * 0.02 });
    }
    for (const [index, to] of tops.entries()) {
      const from = tops[index - 1];
      if (from !== undefined)
        paint(raster, stroke(from.x, from.y, to.x, to.y, size * 0.009), darker(high, 0.15));
      paint(raster, circle(to.x, to.y, size * 0.012), lighter(paper, 0.4));
      paint(raster, circle(to.x, to.y, size * 0.008), darker(high, 0.15));
    }
  },
});
