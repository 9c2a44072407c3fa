import type { ConsoleFile, Encoding } from './console-files.ts';

/** The smallest form of a file that the client says it can read. */
export function chooseEncoding(
  accept: string | undefined,
  encoded: ConsoleFile['encoded'],
): [Encoding, Buffer] | null {
  const accepted = (accept ?? '').split(',').map((part) => {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim().toLowerCase());
    return { name, isRefused: parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) };
  });
  for (const entry of encoded) {
    const match = accepted.find(({ name }) => name === entry[0]);
    if (match !== undefined && !match.isRefused) return entry;
  }
  return null;
}
