type Distance = (x: number, y: number) => number;

export type Shape = {
  /** Holds all of the inside. */
  readonly box: { left: number; top: number; right: number; bottom: number };
  /** In pixels, negative inside; need be right only near the edge. */
  readonly distance: Distance;
  /** Has the same sign, and is nowhere larger than the way to the edge. */
  readonly bound: Distance;
};

/** Several times faster than Math.hypot, and nothing here comes near an overflow. */
function length(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}

function exact(box: Shape['box'], distance: Distance): Shape {
  return { box, distance, bound: distance };
}

function boxAround(cx: number, cy: number, reach: number): Shape['box'] {
  return { left: cx - reach, top: cy - reach, right: cx + reach, bottom: cy + reach };
}

export function circle(cx: number, cy: number, radius: number): Shape {
  return exact(boxAround(cx, cy, radius), (x, y) => length(x - cx, y - cy) - radius);
}

export function ring(cx: number, cy: number, radius: number, thickness: number): Shape {
  const half = thickness / 2;
  return exact(
    boxAround(cx, cy, radius + half),
    (x, y) => Math.abs(length(x - cx, y - cy) - radius) - half,
  );
}

export function ellipse(cx: number, cy: number, rx: number, ry: number, turn = 0): Shape {
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const narrow = Math.min(rx, ry);
  const along = (x: number, y: number) => (x - cx) * cos + (y - cy) * sin;
  const across = (x: number, y: number) => (y - cy) * cos - (x - cx) * sin;
  return {
    box: boxAround(cx, cy, Math.max(rx, ry)),
    bound: (x, y) => (length(along(x, y) / rx, across(x, y) / ry) - 1) * narrow,
    // To the first order, which is as good as exact near the edge.
    distance(x, y) {
      const u = along(x, y);
      const v = across(x, y);
      const scaled = length(u / rx, v / ry);
      const slope = length(u / (rx * rx), v / (ry * ry));
      return slope === 0 ? -narrow : (scaled * (scaled - 1)) / slope;
    },
  };
}

export function roundedBox(
  left: number,
  top: number,
  width: number,
  height: number,
  radius = 0,
): Shape {
  const cx = left + width / 2;
  const cy = top + height / 2;
  return exact({ left, top, right: left + width, bottom: top + height }, (x, y) => {
    const dx = Math.abs(x - cx) - width / 2 + radius;
    const dy = Math.abs(y - cy) - height / 2 + radius;
    return length(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius;
  });
}

/** A thick line with round ends. */
export function stroke(x1: number, y1: number, x2: number, y2: number, thickness: number): Shape {
  const half = thickness / 2;
  const dx = x2 - x1;
  const dy = y2 - y1;
  const square = dx * dx + dy * dy || 1;
  const box = {
    left: Math.min(x1, x2) - half,
    top: Math.min(y1, y2) - half,
    right: Math.max(x1, x2) + half,
    bottom: Math.max(y1, y2) + half,
  };
  return exact(box, (x, y) => {
    const share = Math.min(1, Math.max(0, ((x - x1) * dx + (y - y1) * dy) / square));
    return length(x - x1 - share * dx, y - y1 - share * dy) - half;
  });
}

/** Convex, corners clockwise as seen on the screen. */
export function polygon(...corners: readonly (readonly [x: number, y: number])[]): Shape {
  const edges = corners.map(([x1, y1], index) => {
    const [x2, y2] = corners[(index + 1) % corners.length] ?? [x1, y1];
    const side = length(x2 - x1, y2 - y1) || 1;
    return { x: x1, y: y1, nx: (y2 - y1) / side, ny: (x1 - x2) / side };
  });
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const box = {
    left: Math.min(...xs),
    top: Math.min(...ys),
    right: Math.max(...xs),
    bottom: Math.max(...ys),
  };
  return exact(box, (x, y) => {
    let farthest = -Infinity;
    for (const edge of edges) {
      farthest = Math.max(farthest, (x - edge.x) * edge.nx + (y - edge.y) * edge.ny);
    }
    return farthest;
  });
}

/** Where both shapes are. */
export function both(first: Shape, second: Shape): Shape {
  return {
    box: {
      left: Math.max(first.box.left, second.box.left),
      top: Math.max(first.box.top, second.box.top),
      right: Math.min(first.box.right, second.box.right),
      bottom: Math.min(first.box.bottom, second.box.bottom),
    },
    distance: (x, y) => Math.max(first.distance(x, y), second.distance(x, y)),
    bound: (x, y) => Math.max(first.bound(x, y), second.bound(x, y)),
  };
}

/** Where the first shape is and the second is not. */
export function without(whole: Shape, part: Shape): Shape {
  return {
    box: whole.box,
    distance: (x, y) => Math.max(whole.distance(x, y), -part.distance(x, y)),
    bound: (x, y) => Math.max(whole.bound(x, y), -part.bound(x, y)),
  };
}
