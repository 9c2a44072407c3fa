import { StartError } from '../start-error.ts';
import { masked } from './masked.ts';

/** One environment variable: how its text becomes a value, and what the documentation says of it. */
export type Variable<T> = {
  parse(text: string): T;
  fallback: T;
  /** The default as the documentation shows it. */
  shown: string;
  meaning: string;
  /** Its text never appears in a message. */
  isSecret: boolean;
};

/** Thrown by a parser: how the text should have looked. */
export class Malformed extends Error {}

export function variable<T>(
  parse: (text: string) => T,
  fallback: NoInfer<T>,
  meaning: string,
  options: { shown?: string; isSecret?: boolean } = {},
): Variable<T> {
  const { shown = String(fallback ?? 'none'), isSecret = false } = options;
  return { parse, fallback, shown, meaning, isSecret };
}

/** The same where nothing is set unless the operator sets it. */
export function optional<T>(
  parse: (text: string) => T,
  meaning: string,
  options: { shown?: string; isSecret?: boolean } = {},
): Variable<T | null> {
  return variable<T | null>(parse, null, meaning, options);
}

type ValuesOf<V> = { [K in keyof V]: V[K] extends Variable<infer T> ? T : never };

export function readVariables<V extends Record<string, Variable<unknown>>>(
  variables: V,
  env: NodeJS.ProcessEnv,
): ValuesOf<V> {
  const values = Object.entries(variables).map(([name, one]) => [name, read(name, one, env[name])]);
  // Built from the same keys, each by its own parser.
  return Object.fromEntries(values) as ValuesOf<V>;
}

function read(name: string, one: Variable<unknown>, text: string | undefined): unknown {
  // Compose files and unit files pass on variables that are not set as empty ones.
  if (text === undefined || text === '') return one.fallback;
  try {
    return one.parse(text);
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    const given = one.isSecret ? '' : `, not "${masked(text)}"`;
    throw new StartError(`${name} must be ${error.message}${given}.`);
  }
}
