import { darker, lighter, mix } from '../colour.ts';
import { randomCurve } from '../noise.ts';
import { fill, fillGradient, paint, paintGlow } from '../raster.ts';
import { circle, ellipse, polygon, ring, roundedBox, stroke } from '../shapes.ts';
import { colours, scene } from './scene.ts';

export const skyline = scene({
  palettes: [
    colours({ top: '#26315f', low: '#f7a072', light: '#ffd9a0', far: '#7a6391', near: '#1a1d3a' }),
    colours({ top: '#0e1b33', low: '#365f8d', light: '#ffe08a', far: '#2a4468', near: '#0a1222' }),
    colours({ top: '#9fc9de', low: '#f6ead7', light: '#fff7d6', far: '#9bb3bd', near: '#3d5566' }),
  ],
  draw(raster, random, { top, low, light, far, near }) {
    const { width, height } = raster;
    fillGradient(raster, [top, mix(top, low, 0.55), low]);
    paintGlow(
      raster,
      { x: width * random.unit(), y: height * 0.7, radius: height * 0.8 },
      light,
      0.5,
    );
    for (let layer = 0; layer < 3; layer += 1) {
      const share = layer / 2;
      const colour = mix(far, near, share);
      const unit = width * (0.04 + share * 0.035);
      for (let x = -unit * random.unit(); x < width;) {
        const wide = unit * random.between(0.9, 1.9);
        const tall = height * random.between(0.16, 0.44) * (1.15 - share * 0.35);
        const y = height * 0.98 - tall;
        paint(raster, roundedBox(x, y, wide, height - y), colour);
        if (random.chance(0.2))
          paint(raster, stroke(x + wide / 2, y - tall * 0.2, x + wide / 2, y, 1.6), colour);
        if (random.chance(0.25))
          paint(
            raster,
            roundedBox(x + wide * 0.2, y - height * 0.025, wide * 0.6, height * 0.03),
            colour,
          );
        const step = Math.max(6, unit * 0.26);
        // The farthest row of houses is too far away for windows.
        const foot = layer === 0 ? y : height - step;
        for (let wy = y + step; wy < foot; wy += step * 1.35) {
          for (let wx = x + step * 0.6; wx < x + wide - step * 0.8; wx += step) {
            if (random.chance(0.34))
              paint(raster, roundedBox(wx, wy, step * 0.42, step * 0.6), light, 0.85);
          }
        }
        x += wide + (random.chance(0.3) ? unit * 0.25 : 0);
      }
    }
  },
});

export const map = scene({
  palettes: [
    colours({
      land: '#eef0ea',
      block: '#dfe3da',
      park: '#b9d8b0',
      water: '#a5cfe6',
      road: '#ffffff',
      pin: '#d9463b',
    }),
    colours({
      land: '#1d2530',
      block: '#28323f',
      park: '#27483c',
      water: '#1f4d6b',
      road: '#3b4858',
      pin: '#ffb454',
    }),
    colours({
      land: '#f6ecdc',
      block: '#eadcc4',
      park: '#c5cf9a',
      water: '#9cc3c0',
      road: '#fffaf0',
      pin: '#7b3fa0',
    }),
  ],
  draw(raster, random, { land, block, park, water, road, pin }) {
    const { width, height } = raster;
    const size = Math.min(width, height);
    fill(raster, block);
    for (let index = 0; index < 3; index += 1) {
      paint(
        raster,
        roundedBox(
          width * random.between(0, 0.8),
          height * random.between(0, 0.5),
          size * 0.32,
          size * 0.24,
          size * 0.03,
        ),
        park,
      );
    }
    const tilt = random.between(-0.25, 0.25);
    for (let offset = -width; offset < width * 2; offset += size * 0.115) {
      const wide = random.chance(0.25) ? size * 0.03 : size * 0.014;
      paint(raster, stroke(offset, -10, offset + height * tilt, height + 10, wide), road);
      paint(
        raster,
        stroke(-10, offset, width + 10, offset - width * tilt, wide),
        random.chance(0.5) ? road : land,
      );
    }
    const curve = randomCurve(random, 2);
    const river = (x: number) => height * (0.55 + 0.4 * (curve((x / width) * 2) - 0.3));
    for (let x = 0; x < width; x += 1)
      paint(raster, roundedBox(x, river(x), 1, size * 0.13), water);
    for (let x = width * 0.2; x < width; x += width * 0.3) {
      paint(
        raster,
        stroke(x, river(x) - 6, x + height * tilt * 0.15, river(x) + size * 0.13 + 6, size * 0.03),
        road,
      );
    }
    const x = width * random.between(0.35, 0.65);
    const y = height * random.between(0.35, 0.5);
    paint(
      raster,
      ellipse(x, y + size * 0.005, size * 0.045, size * 0.014),
      darker(block, 0.5),
      0.4,
    );
    paint(
      raster,
      polygon([x - size * 0.055, y - size * 0.11], [x + size * 0.055, y - size * 0.11], [x, y]),
      pin,
    );
    paint(raster, circle(x, y - size * 0.125, size * 0.066), pin);
    paint(raster, circle(x, y - size * 0.125, size * 0.026), lighter(pin, 0.9));
  },
});

export const track = scene({
  palettes: [
    colours({ grass: '#5fa36a', lane: '#c8553d', line: '#fbeee6', mark: '#f2c14e' }),
    colours({ grass: '#b8c99d', lane: '#3b6ea5', line: '#f4f8fb', mark: '#ef8354' }),
    colours({ grass: '#2f5d62', lane: '#dfa06e', line: '#fff7ea', mark: '#f25f5c' }),
  ],
  draw(raster, random, { grass, lane, line, mark }) {
    const { width, height } = raster;
    const size = Math.min(width, height);
    fillGradient(raster, [lighter(grass, 0.08), grass]);
    for (let x = 0; x < width; x += size * 0.2)
      paint(raster, roundedBox(x, 0, size * 0.1, height), darker(grass, 0.06));
    const cx = width * random.between(-0.05, 0.2);
    const cy = height * random.between(0.9, 1.15);
    const inner = size * 0.5;
    const step = size * 0.1;
    paint(raster, ring(cx, cy, inner + step * 3, step * 6), lane);
    for (let index = 0; index <= 6; index += 1)
      paint(raster, ring(cx, cy, inner + step * index, size * 0.008), line);
    for (let index = 0; index < 6; index += 1) {
      const turn = -0.35 - index * 0.1 - random.between(0, 0.5);
      const radius = inner + step * (index + 0.5);
      const x = cx + Math.cos(turn) * radius;
      const y = cy + Math.sin(turn) * radius;
      if (index % 2 === 0) continue;
      paint(
        raster,
        ellipse(x + step * 0.22, y + step * 0.22, step * 0.26, step * 0.2),
        darker(lane, 0.4),
        0.45,
      );
      paint(raster, circle(x, y, step * 0.27), mix(mark, line, index === 3 ? 0.7 : 0));
      paint(raster, circle(x, y, step * 0.13), darker(mark, 0.55));
    }
  },
});

export const shelf = scene({
  palettes: [
    colours({
      wall: '#3a2f2a',
      wood: '#7a5338',
      one: '#d9a05b',
      two: '#b5483c',
      three: '#3f6c6a',
      four: '#efe1c6',
    }),
    colours({
      wall: '#e8e2d6',
      wood: '#b98d63',
      one: '#26547c',
      two: '#ef476f',
      three: '#06a77d',
      four: '#f5b700',
    }),
    colours({
      wall: '#22303c',
      wood: '#4c6272',
      one: '#f3d9b1',
      two: '#c98bb9',
      three: '#8fb8de',
      four: '#e8e9eb',
    }),
  ],
  draw(raster, random, { wall, wood, one, two, three, four }) {
    const { width, height } = raster;
    const size = Math.min(width, height);
    fillGradient(raster, [wall, darker(wall, 0.15)]);
    const rows = 3;
    for (let row = 0; row < rows; row += 1) {
      const foot = (height / rows) * (row + 1) - size * 0.03;
      for (let x = size * 0.02; x < width;) {
        const wide = size * random.between(0.026, 0.062);
        const tall = (height / rows) * random.between(0.56, 0.8);
        const colour = mix(random.pick([one, two, three, four]), wall, random.between(0, 0.3));
        if (random.chance(0.06)) {
          paint(
            raster,
            polygon(
              [x + tall * 0.22, foot - tall],
              [x + tall * 0.22 + wide, foot - tall + wide * 0.3],
              [x + wide, foot],
              [x, foot],
            ),
            colour,
          );
          x += tall * 0.22 + wide * 1.6;
          continue;
        }
        paint(raster, roundedBox(x, foot - tall, wide, tall, 1.5), colour);
        paint(
          raster,
          roundedBox(x + wide * 0.72, foot - tall, wide * 0.28, tall),
          darker(colour, 0.18),
        );
        const band = foot - tall * random.between(0.75, 0.85);
        paint(raster, roundedBox(x, band, wide, tall * 0.05), lighter(colour, 0.45), 0.9);
        if (random.chance(0.6))
          paint(
            raster,
            roundedBox(x, foot - tall * 0.16, wide, tall * 0.03),
            lighter(colour, 0.35),
            0.8,
          );
        x += wide + (random.chance(0.07) ? size * 0.09 : 1.2);
      }
      paint(raster, roundedBox(0, foot, width, size * 0.035), wood);
      paint(raster, roundedBox(0, foot, width, size * 0.008), lighter(wood, 0.25));
    }
  },
});
