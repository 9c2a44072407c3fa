import { darker, lighter, mix } from '../colour.ts';
import type { Colour } from '../colour.ts';
import { fill, fillGradient, paint, paintBelow, paintGlow } from '../raster.ts';
import type { Raster } from '../raster.ts';
import { both, circle, ellipse, polygon, ring, roundedBox, stroke } from '../shapes.ts';
import { colours, scene } from './scene.ts';

function planks(raster: Raster, table: Colour): void {
  const { width, height } = raster;
  fill(raster, table);
  const plank = height / 5;
  for (let row = 0; row < 5; row += 1) {
    paint(
      raster,
      roundedBox(0, row * plank, width, plank - 1.5),
      mix(table, lighter(table, 0.2), (row * 0.43) % 1),
    );
  }
}

export const cup = scene({
  palettes: [
    colours({ table: '#a9744f', plate: '#f4efe6', coffee: '#6b3f26', milk: '#f3dcc0' }),
    colours({ table: '#d9d2c5', plate: '#4d6a6d', coffee: '#7a4a2d', milk: '#f7e7d0' }),
    colours({ table: '#4a3a35', plate: '#e8b04a', coffee: '#5b3420', milk: '#f0d9bb' }),
    colours({ table: '#c9d8d5', plate: '#ffffff', coffee: '#7b8f4b', milk: '#eef0cf' }),
  ],
  draw(raster, random, { table, plate, coffee, milk }) {
    const { width, height } = raster;
    const size = Math.min(width, height);
    planks(raster, table);
    const cx = width * random.between(0.44, 0.56);
    const cy = height * 0.52;
    paint(
      raster,
      circle(cx + size * 0.025, cy + size * 0.035, size * 0.4),
      darker(table, 0.55),
      0.35,
    );
    paint(raster, circle(cx, cy, size * 0.4), plate);
    paint(raster, ring(cx, cy, size * 0.33, size * 0.006), darker(plate, 0.12));
    const turn = random.between(-0.7, 0.7);
    const hx = cx + Math.cos(turn) * size * 0.3;
    const hy = cy + Math.sin(turn) * size * 0.3;
    paint(
      raster,
      circle(cx + size * 0.02, cy + size * 0.025, size * 0.26),
      darker(plate, 0.3),
      0.5,
    );
    paint(raster, ring(hx, hy, size * 0.06, size * 0.032), darker(plate, 0.05));
    paint(raster, circle(cx, cy, size * 0.25), lighter(plate, 0.35));
    paint(raster, circle(cx, cy, size * 0.215), darker(coffee, 0.15));
    paint(raster, circle(cx, cy, size * 0.2), coffee);
    // A heart of milk, drawn three times ever smaller, as a barista pours it.
    for (const [scale, colour] of [
      [1, milk],
      [0.72, coffee],
      [0.46, milk],
    ] as const) {
      const r = size * 0.075 * scale;
      const top = cy - size * 0.02;
      paint(raster, circle(cx - r * 0.72, top, r), colour);
      paint(raster, circle(cx + r * 0.72, top, r), colour);
      paint(
        raster,
        polygon(
          [cx - r * 1.58, top + r * 0.52],
          [cx, top - r * 0.3],
          [cx + r * 1.58, top + r * 0.52],
          [cx, top + r * 2.1],
        ),
        colour,
      );
    }
    const sx = cx - size * 0.3;
    paint(
      raster,
      stroke(sx, cy + size * 0.28, sx + size * 0.26, cy + size * 0.36, size * 0.014),
      darker(mix(plate, table, 0.5), 0.2),
    );
    paint(
      raster,
      ellipse(sx - size * 0.02, cy + size * 0.275, size * 0.05, size * 0.026, 0.3),
      darker(mix(plate, table, 0.5), 0.2),
    );
  },
});

export const bread = scene({
  palettes: [
    colours({ table: '#e9e1d3', board: '#b78454', crust: '#a8642c', crumb: '#f3d7a7' }),
    colours({ table: '#3f4a4f', board: '#8d6b4f', crust: '#b97739', crumb: '#f7e3bf' }),
    colours({ table: '#cfd9d2', board: '#d2a674', crust: '#8f4f24', crumb: '#efcf9c' }),
  ],
  draw(raster, random, { table, board, crust, crumb }) {
    const { width, height } = raster;
    const size = Math.min(width, height);
    fillGradient(raster, [lighter(table, 0.15), table]);
    paint(
      raster,
      roundedBox(width * 0.08 + 6, height * 0.12 + 9, width * 0.84, height * 0.78, size * 0.05),
      darker(table, 0.4),
      0.4,
    );
    paint(
      raster,
      roundedBox(width * 0.08, height * 0.12, width * 0.84, height * 0.78, size * 0.05),
      board,
    );
    for (let line = 0; line < 6; line += 1) {
      paint(
        raster,
        roundedBox(width * 0.1, height * (0.2 + line * 0.12), width * 0.8, 1.4),
        darker(board, 0.18),
        0.7,
      );
    }
    const loaves = [
      [0.32, 0.4, 0.2],
      [0.68, 0.36, 0.17],
      [0.5, 0.68, 0.19],
      [0.24, 0.74, 0.1],
      [0.76, 0.72, 0.12],
    ] as const;
    for (const [fx, fy, scale] of loaves) {
      const x = width * fx;
      const y = height * fy;
      const r = size * scale * random.between(0.92, 1.08);
      const turn = random.between(-0.6, 0.6);
      paint(
        raster,
        ellipse(x + r * 0.1, y + r * 0.16, r * 1.16, r * 0.92, turn),
        darker(board, 0.6),
        0.4,
      );
      const loaf = ellipse(x, y, r * 1.15, r * 0.9, turn);
      paint(raster, loaf, crust);
      paintGlow(
        raster,
        { x: x - r * 0.3, y: y - r * 0.3, radius: r * 0.85 },
        lighter(crust, 0.35),
        0.75,
      );
      const across = { x: Math.cos(turn), y: Math.sin(turn) };
      for (const shift of [-0.45, 0, 0.45]) {
        const sx = x + across.x * shift * r;
        const sy = y + across.y * shift * r;
        const cut = stroke(
          sx + across.y * r * 0.45 - r * 0.12,
          sy - across.x * r * 0.45,
          sx - across.y * r * 0.45 + r * 0.12,
          sy + across.x * r * 0.45,
          r * 0.13,
        );
        paint(raster, both(cut, loaf), crumb, 0.95);
      }
    }
  },
});

export const cat = scene({
  palettes: [
    colours({ sky: '#f7c59f', frame: '#fff6ec', fur: '#2e2a33', eye: '#f2d349' }),
    colours({ sky: '#a8cfe8', frame: '#f2ede4', fur: '#d98841', eye: '#3f7d4f' }),
    colours({ sky: '#4c5f94', frame: '#d8d3e6', fur: '#e9e6e1', eye: '#5aa0d8' }),
    colours({ sky: '#c3dcc0', frame: '#fbf7ef', fur: '#7b7f8c', eye: '#f0b429' }),
  ],
  draw(raster, random, { sky, frame, fur, eye }) {
    const { width, height } = raster;
    const s = Math.min(width, height);
    fillGradient(raster, [sky, lighter(sky, 0.55)]);
    paintGlow(
      raster,
      { x: width * 0.75, y: height * 0.25, radius: s * 0.5 },
      lighter(sky, 0.85),
      0.9,
    );
    const post = width * 0.02 + s * 0.03;
    for (const x of [-2, width - post]) paint(raster, roundedBox(x, 0, post + 2, height), frame);
    paint(raster, roundedBox(0, -2, width, height * 0.03 + s * 0.02 + 2), frame);
    const sill = height * 0.86;
    paintBelow(raster, () => sill, frame, darker(frame, 0.12));
    const x = width * random.between(0.42, 0.58);
    const dark = darker(fur, 0.15);
    paint(
      raster,
      ellipse(x + s * 0.03, sill + s * 0.02, s * 0.3, s * 0.025),
      darker(frame, 0.3),
      0.5,
    );
    const tail = [
      [0.18, -0.03],
      [0.27, -0.04],
      [0.33, -0.09],
      [0.35, -0.16],
      [0.33, -0.23],
    ] as const;
    for (const [index, [tx, ty]] of tail.entries()) {
      const [fx, fy] = tail[index - 1] ?? [tx, ty];
      paint(raster, stroke(x + s * fx, sill + s * fy, x + s * tx, sill + s * ty, s * 0.062), fur);
    }
    paint(raster, ellipse(x, sill - s * 0.17, s * 0.2, s * 0.2), fur);
    paint(raster, ellipse(x + s * 0.1, sill - s * 0.06, s * 0.16, s * 0.08), fur);
    const hy = sill - s * 0.41;
    for (const side of [-1, 1]) {
      const tip: [number, number] = [x + side * s * 0.125, hy - s * 0.2];
      const outer: [number, number] = [x + side * s * 0.155, hy - s * 0.02];
      const inner: [number, number] = [x + side * s * 0.015, hy - s * 0.09];
      paint(raster, side > 0 ? polygon(tip, outer, inner) : polygon(tip, inner, outer), fur);
      paint(
        raster,
        ellipse(x + side * s * 0.105, hy - s * 0.12, s * 0.018, s * 0.045, side * 0.35),
        lighter(fur, 0.25),
        0.7,
      );
      paint(raster, ellipse(x + side * s * 0.08, sill - s * 0.015, s * 0.06, s * 0.03), dark);
    }
    paint(raster, ellipse(x, hy, s * 0.165, s * 0.135), fur);
    for (const side of [-1, 1]) {
      paint(raster, ellipse(x + side * s * 0.068, hy - s * 0.015, s * 0.034, s * 0.03), eye);
      paint(
        raster,
        ellipse(x + side * s * 0.068, hy - s * 0.015, s * 0.01, s * 0.026),
        [20, 20, 24],
      );
      for (const lift of [-0.02, 0.012]) {
        paint(
          raster,
          stroke(
            x + side * s * 0.05,
            hy + s * 0.055,
            x + side * s * 0.21,
            hy + s * (0.05 + lift * 1.6),
            s * 0.006,
          ),
          lighter(fur, 0.5),
          0.8,
        );
      }
    }
    paint(raster, ellipse(x, hy + s * 0.04, s * 0.02, s * 0.013), [226, 140, 140]);
  },
});
