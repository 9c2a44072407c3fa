import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Readable } from 'node:stream';
import { StartError } from '../start-error.ts';

export type PasswordSource = {
  input: Readable & { isTTY?: boolean };
  /** Writes the prompts. */
  ask: (text: string) => void;
};

// More than the longest password, less than a file piped in by mistake.
const MAX_BYTES = 4_096;
const NO_PASSWORD =
  'No password was given: type it, pipe it in, or have one made with --generate. Nothing was changed.';

/** A new password from the operator: typed twice without echo, or piped in. */
export async function readPassword(source: PasswordSource): Promise<string> {
  const password =
    source.input.isTTY === true ? await askTwice(source) : await readAll(source.input);
  if (password === '') throw new StartError(NO_PASSWORD);
  return password;
}

async function askTwice({ input, ask }: PasswordSource): Promise<string> {
  // The line editor echoes to its output, which discards everything.
  const discarded = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input, output: discarded, terminal: true, historySize: 0 });
  const cancelled = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new StartError('Cancelled. Nothing was changed.')));
  });
  const readReply = async (question: string) => {
    ask(question);
    return Promise.race([lines.question(''), cancelled]).finally(() => ask('\n'));
  };
  try {
    const first = await readReply('New password: ');
    const second = await readReply('The same again: ');
    if (first === second) return first;
    throw new StartError('The two passwords differ. Nothing was changed.');
  } finally {
    cancelled.catch(() => {}); // from here on, closing is not cancelling
    lines.close();
  }
}

/** What is piped in, without the line end that `echo` and editors add. */
async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk));
    if (chunks.reduce((size, { length }) => size + length, 0) > MAX_BYTES) throw notOneLine();
  }
  const text = decoded(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  if (/[\n\0]/.test(text)) throw notOneLine();
  return text;
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new StartError('The password on standard input is no text. Nothing was changed.', {
      cause: error,
    });
  }
}

function notOneLine(): StartError {
  return new StartError('Standard input must hold one line: the password. Nothing was changed.');
}
