/** Where progress is shown: a terminal gets a bar that moves, anything else a line now and then. */
export type Screen = { isTTY?: boolean; write(text: string): unknown };

export type Progress = {
  /** Begins a step of so many units. */
  step(name: string, total: number): void;
  advance(done: number): void;
  finish(): void;
};

const BAR_WIDTH = 28;
const REDRAW_MS = 100;
/** Without a terminal: a line at every tenth of a step. */
const TENTHS = 10;

export function createProgress(screen: Screen, clock: () => number = Date.now): Progress {
  const isTerminal = screen.isTTY === true;
  let name = '';
  let total = 0;
  let done = 0;
  let startedAt = 0;
  let drawnAt = 0;
  let tenth = 0;

  const line = () => {
    const seconds = (clock() - startedAt) / 1000;
    const share = total === 0 ? 1 : done / total;
    const filled = Math.round(share * BAR_WIDTH);
    const bar = isTerminal ? ` ${'█'.repeat(filled)}${'░'.repeat(BAR_WIDTH - filled)}` : '';
    const count = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
    return `${name.padEnd(10)}${bar} ${String(Math.floor(share * 100)).padStart(3)}%  ${count}, ${seconds.toFixed(1)} s`;
  };
  // Back to the start of the line, and clear to its end what a longer text may have left.
  const redraw = (end: string) => screen.write(`\r${line()}\u001B[K${end}`);

  const finish = () => {
    if (name === '') return;
    if (isTerminal) redraw('\n');
    name = '';
  };

  return {
    finish,
    step(nextName, nextTotal) {
      finish();
      [name, total, done, tenth] = [nextName, nextTotal, 0, 0];
      startedAt = clock();
      if (isTerminal) redraw('');
    },
    advance(nowDone) {
      done = nowDone;
      if (isTerminal) {
        if (clock() - drawnAt < REDRAW_MS && done < total) return;
        drawnAt = clock();
        redraw('');
        return;
      }
      const reached = total === 0 ? TENTHS : Math.floor((done / total) * TENTHS);
      if (reached > tenth) screen.write(`${line()}\n`);
      tenth = Math.max(tenth, reached);
    },
  };
}
