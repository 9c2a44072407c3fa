/** Of the lines that a part noted, those that say what was promised and what was seen. */
function verdictsOf(figures) {
  return figures.filter(({ goal }) => goal !== undefined);
}

/**
 * What one part of the long run came to: its own verdicts, and one on its tests where it has any. A
 * part that failed without saying what it missed is not met either: red is never shown as green.
 */
export function rowsOf(name, part, { passed, failed, skipped }, figures) {
  const rows = verdictsOf(figures).map(({ goal, measured, isMet }) => ({
    part: name,
    goal,
    measured,
    isMet,
  }));
  if (part !== undefined) {
    const counts = [`${passed} of ${passed + failed} tests`];
    if (skipped > 0) counts.push(`${skipped} skipped`);
    const sums = part.sum === undefined ? [] : [part.sum(figures)];
    const measured = [...sums, ...counts].join(', ');
    // Skipped altogether: whether it holds is not known on this machine.
    const isMet = passed + failed === 0 && skipped > 0 ? null : failed === 0 && passed > 0;
    rows.unshift({ part: name, goal: part.goal, measured, isMet });
  } else if (failed > 0 && rows.every(({ isMet }) => isMet)) {
    rows.push({ part: name, goal: 'runs to its end', measured: 'it did not', isMet: false });
  }
  return rows;
}

/** One line each: the part, what was promised, what was seen, and whether that is enough. */
export function verdictTable(rows) {
  const cells = [
    ['Part', 'Goal', 'Measured', ''],
    ...rows.map(({ part, goal, measured, isMet }) => [part, goal, measured, wordFor(isMet)]),
  ];
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column].length)));
  return cells
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`)
    .map((line) => line.trimEnd())
    .join('\n');
}

function wordFor(isMet) {
  if (isMet === null) return 'not tried';
  return isMet ? 'met' : 'NOT MET';
}
