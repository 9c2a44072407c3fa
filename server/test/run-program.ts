import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { COMPILED_ONCE } from './compiled-once.ts';

export type Run = { code: number | string; stdout: string; stderr: string };

/** A command as the operator starts it: a process of its own, with this environment and no other. */
export async function runProgram(
  program: URL,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
  /** What it finds on standard input. */
  input = '',
): Promise<Run> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env['PATH'], ...COMPILED_ONCE, ...env } };
    const child = execFile(
      process.execPath,
      [fileURLToPath(program), ...args],
      options,
      (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, stdout, stderr });
      },
    );
    // Not every command reads it to the end.
    child.stdin?.on('error', () => {});
    child.stdin?.end(input);
  });
}
