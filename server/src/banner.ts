/** `[['Address', 'http://…'], …]` in a frame that stands out from log lines. */
export function box(title: string, rows: readonly (readonly [string, string])[]): string {
  const labelWidth = Math.max(...rows.map(([label]) => label.length)) + 3;
  const lines = [title, '', ...rows.map(([label, text]) => label.padEnd(labelWidth) + text)];
  const width = Math.max(...lines.map((line) => line.length));
  const bar = '─'.repeat(width + 4);
  return [
    '',
    `┌${bar}┐`,
    ...lines.map((line) => `│  ${line.padEnd(width)}  │`),
    `└${bar}┘`,
    '',
  ].join('\n');
}
