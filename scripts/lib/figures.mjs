import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The lines that the parts of the long run noted, one JSON object each. */
export function readFigures(file) {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line));
}

/** `what` in front, then every figure with its name. */
export function figuresTable(figures) {
  const width = Math.min(72, Math.max(0, ...figures.map(({ what }) => what.length)));
  return figures
    .map(({ what, ...rest }) => {
      const cells = Object.entries(rest).map(([name, value]) => `${name}: ${value}`);
      return `  ${what.padEnd(width)}  ${cells.join(', ')}`;
    })
    .join('\n');
}

export function writeFigures(file, content) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
