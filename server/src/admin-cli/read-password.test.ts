import { PassThrough, Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readPassword } from './commands.ts';

const fromPipe = (...chunks: (string | Buffer)[]) =>
  readPassword({ input: Readable.from(chunks), ask: () => {} });

/** A terminal in which these keys are typed, one text per prompt. */
async function fromTerminal(...replies: string[]) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const seen: string[] = [];
  const left = [...replies];
  const password = readPassword({
    input,
    ask(text) {
      seen.push(text);
      // The line editor starts to listen after the prompt is written.
      if (text.endsWith(': ')) setImmediate(() => input.write(left.shift() ?? ''));
    },
  });
  return { password: await password, seen: seen.join('') };
}

test.each([
  ['as it is', 'quiet river stones', 'quiet river stones'],
  ['without the line end', 'quiet river stones\n', 'quiet river stones'],
  ['without that of Windows', 'quiet river stones\r\n', 'quiet river stones'],
  ['with its blanks', '  quiet river  \n', '  quiet river  '],
])('is taken from a pipe %s', async (_, piped, password) => {
  expect(await fromPipe(piped)).toBe(password);
});

test('may arrive in pieces that split a character', async () => {
  const bytes = Buffer.from('schlüssel 🔑');
  const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
  expect(await fromPipe(...pieces)).toBe('schlüssel 🔑');
});

test.each([
  ['nothing', '', /^No password was given: /],
  ['an empty line', '\n', /^No password was given: /],
  ['two lines', 'one\ntwo\n', /^Standard input must hold one line/],
  ['a NUL', 'one\0two', /^Standard input must hold one line/],
  ['a whole file', 'x'.repeat(5000), /^Standard input must hold one line/],
  ['bytes that are no text', Buffer.from([0xff, 0xfe, 0x41]), /is no text\./],
])('%s in a pipe is refused', async (_, piped, sentence) => {
  await expect(fromPipe(piped)).rejects.toThrow(sentence);
});

test('is typed twice in a terminal, without echo', async () => {
  const { password, seen } = await fromTerminal('quietX\u007f river\r', 'quiet river\r');
  expect(password).toBe('quiet river');
  expect(seen).toBe('New password: \nThe same again: \n');
});

test('typed differently the second time is refused', async () => {
  await expect(fromTerminal('quiet river\r', 'quiet rivers\r')).rejects.toThrow(
    'The two passwords differ. Nothing was changed.',
  );
});

test.each([
  ['Ctrl-C', '\u0003'],
  ['Ctrl-D', '\u0004'],
])('%s cancels', async (_, key) => {
  await expect(fromTerminal(key)).rejects.toThrow('Cancelled. Nothing was changed.');
});
