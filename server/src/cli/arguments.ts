import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { Malformed } from '../config/variable.ts';

/** What is wrong with the command line, in one sentence. */
export class ArgumentError extends Error {}

/** The options of a command line, split but not yet read. */
export function splitArguments<const T extends ParseArgsConfig>(config: T) {
  try {
    return parseArgs(config);
  } catch (error) {
    // The parser's own sentences name the option; everything else is a mistake of ours.
    if (error instanceof TypeError && 'code' in error)
      throw new ArgumentError(error.message, { cause: error });
    throw error;
  }
}

/** An option by the parsers that read the environment too. A secret is not repeated in the sentence. */
export function readOption<T>(
  name: string,
  parse: (text: string) => T,
  text: string,
  { isSecret = false } = {},
): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const given = isSecret ? '' : `, not "${text}"`;
    throw new ArgumentError(`--${name} must be ${error.message}${given}.`, { cause: error });
  }
}
