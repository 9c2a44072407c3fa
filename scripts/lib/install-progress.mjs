// npm names the archive of every package, whether from the network or its cache.
const ARCHIVE = /^npm http .*?(https?:\S+\.tgz)/;
const CLEAR_LINE = '\r\u001B[K';

/** Reads what npm says: one line that is redrawn in a terminal, elsewhere a line at every quarter. */
export function installProgress(total, screen) {
  const archives = new Set();
  let rest = '';
  let quarter = 0;
  return {
    read(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const archive = ARCHIVE.exec(line)?.[1];
        if (archive !== undefined) archives.add(archive);
      }
      const done = Math.min(total, archives.size);
      const reached = Math.floor((done / total) * 4);
      const sentence = `Fetched ${done} of ${total} packages.`;
      if (screen.isTTY) screen.write(`${CLEAR_LINE}${sentence}`);
      else if (reached > quarter) screen.write(`${sentence}\n`);
      quarter = Math.max(quarter, reached);
    },
    finish() {
      if (screen.isTTY) screen.write(CLEAR_LINE);
    },
  };
}
