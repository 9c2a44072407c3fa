import { expect, test } from 'vitest';
import { placeBox, type Placement } from './Tooltip.tsx';

const view = { width: 400, height: 300 };
const box = { width: 100, height: 30 };
const middle = { top: 100, left: 150, width: 40, height: 20 };
const above: Placement = { side: 'top', align: 'center' };
const below: Placement = { side: 'bottom', align: 'start' };

test.each([
  ['above, centred', middle, above, { top: 64, left: 120 }],
  ['below, at the start', middle, below, { top: 126, left: 150 }],
  ['below, at the end', middle, { side: 'bottom', align: 'end' }, { top: 126, left: 90 }],
  ['below instead of over the top', { ...middle, top: 10 }, above, { top: 36, left: 120 }],
  ['above instead of under the bottom', { ...middle, top: 270 }, below, { top: 234, left: 150 }],
  ['off the left edge', { ...middle, left: 0, width: 10 }, above, { top: 64, left: 8 }],
  ['off the right edge', { ...middle, left: 390, width: 10 }, above, { top: 64, left: 292 }],
] as const)('a box stands %s', (_, anchor, placement, expected) => {
  expect(placeBox(anchor, box, view, placement)).toEqual(expected);
});

test('with no room anywhere it stays on the side that was asked for', () => {
  const tall = { width: 100, height: 400 };
  expect(placeBox(middle, tall, view, below).top).toBe(126);
  expect(placeBox(middle, tall, view, above).top).toBe(-306);
});
