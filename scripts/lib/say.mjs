/** A reason to stop that the reader can act on: printed as its one sentence, without a stack. */
export class Stop extends Error {}

/** One line of progress: a sentence, as the server's own are. */
export function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}

export function seconds(ms) {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** Runs a script's body; its result is the exit code. */
export async function main(body) {
  try {
    process.exitCode = (await body()) ?? 0;
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}
