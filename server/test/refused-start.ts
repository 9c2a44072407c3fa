import { createClosers } from '../src/background-task.ts';
import { sentenceOf } from '../src/start-error.ts';
import { start } from '../src/start.ts';

/**
 * What the operator would read of a start that is refused. Here instead of in a process of its own,
 * which takes a second of the processor; that a process prints the sentence and ends with 1 is tested
 * once of every kind.
 */
export async function refusalOf(env: Record<string, string>): Promise<string> {
  const opened = createClosers();
  try {
    await start({ PORT: '0', ...env }, { say: () => {}, isTTY: false, closers: opened });
    return 'It was not refused';
  } catch (error) {
    return `${sentenceOf(error)}\n`;
  } finally {
    await opened.closeAll();
  }
}
