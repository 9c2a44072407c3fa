import { DatabaseUnavailable, isServerError } from '../db/errors.ts';
import { isStartError } from '../start-error.ts';
import { ArgumentError } from './arguments.ts';

export type Tool = {
  /** As it is called: `npm run <name>`. */
  name: string;
  /** What is certain when the database or the system refused. */
  untouched: string;
};

/** Runs a command to its end. Exit code 1 when it could not be done, 2 when the command line is wrong. */
export async function runTool(tool: Tool, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = explain(tool, error);
  }
}

function explain({ name, untouched }: Tool, error: unknown): number {
  if (error instanceof ArgumentError) {
    process.stderr.write(`${error.message}\nSee npm run ${name} -- --help\n`);
    return 2;
  }
  if (isServerError(error)) {
    process.stderr.write(`The database refused: ${error.message}. ${untouched}\n`);
    return 1;
  }
  // Of a file: it cannot be read or written, or the disk is full.
  if (error instanceof Error && 'syscall' in error) {
    process.stderr.write(`The system refused: ${error.message}. ${untouched}\n`);
    return 1;
  }
  if (error instanceof DatabaseUnavailable) {
    process.stderr.write(
      'The connection to the database broke. Look at what was done, then try again.\n',
    );
    return 1;
  }
  if (!isStartError(error)) throw error;
  process.stderr.write(`${error.message}\n`);
  return 1;
}
