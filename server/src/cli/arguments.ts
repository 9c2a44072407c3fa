import { parseArgs } from 'node:util';
import type { ParseArgsConfig, ParseArgsOptionDescriptor } from 'node:util';
import { masked } from '../config/masked.ts';
import { Malformed } from '../config/variable.ts';

/** What is wrong with the command line, in one sentence. */
export class ArgumentError extends Error {}

type Options = Record<string, ParseArgsOptionDescriptor>;
type CommandLine = ParseArgsConfig & { args: string[]; options: Options };

/** Splits a command line into options, which are not parsed yet. */
export function splitArguments<const T extends CommandLine>(config: T) {
  checkTokens(config);
  return parseArgs(config);
}

/** The messages of parseArgs are written for programmers, so its errors are caught here first. */
function checkTokens({ args, options, allowPositionals = false }: CommandLine): void {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  const given = new Set<string>();
  for (const token of tokens) {
    if (token.kind === 'positional' && !allowPositionals) {
      throw new ArgumentError(`This command takes options only, not "${masked(token.value)}".`);
    }
    if (token.kind !== 'option') continue;
    const option = options[token.name];
    if (option === undefined) throw new ArgumentError(`There is no option ${token.rawName}.`);
    if (given.has(token.name) && option.multiple !== true) {
      throw new ArgumentError(`${token.rawName} is given more than once.`);
    }
    given.add(token.name);
    checkValue(option, token);
  }
}

type OptionToken = { rawName: string; value: string | undefined; inlineValue: boolean | undefined };

function checkValue({ type }: ParseArgsOptionDescriptor, token: OptionToken): void {
  const { rawName, value, inlineValue } = token;
  if (type === 'boolean' && value !== undefined) {
    throw new ArgumentError(`${rawName} takes no value.`);
  }
  if (type === 'boolean') return;
  if (value === undefined || value === '') throw new ArgumentError(`${rawName} needs a value.`);
  // Most likely the next option, with the value forgotten.
  if (inlineValue !== true && value.startsWith('-')) {
    throw new ArgumentError(
      `${rawName} needs a value; one that begins with a dash is written ${rawName}=VALUE.`,
    );
  }
}

/** Reads an option with a parser of the environment. A secret is not repeated in the message. */
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
    const given = isSecret ? '' : `, not "${masked(text)}"`;
    throw new ArgumentError(`--${name} must be ${error.message}${given}.`, { cause: error });
  }
}
