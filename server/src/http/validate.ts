import { issuesOf } from '@meridian/contract/validation';
import * as z from 'zod/mini';
import { AppError } from './app-error.ts';
import type { Issue } from './app-error.ts';

/** What Fastify expects of a compiled validator: the value to go on with, or the error to answer. */
export type Validator = (data: unknown) => { value: unknown } | { error: AppError };
type Schema = z.ZodMiniType;

const NOTHING = z.strictObject({});

/** Values of a query arrive as text; a key given twice as a list of texts. */
export function queryValidator(schema: Schema | null): Validator {
  const check = validator(schema ?? NOTHING);
  return (data) => {
    const issue = queryIssue(data);
    return issue === null ? check(filled(data)) : { error: refusal([issue]) };
  };
}

/** A call without a body tolerates an empty one, and an empty object. */
export function bodyValidator(schema: Schema | null): Validator {
  const check = validator(schema ?? NOTHING);
  // Fastify says null when nothing was sent. Reading it as an empty object lets the schema
  // name what is missing.
  return (data) => check(data ?? {});
}

function validator(schema: Schema): Validator {
  return (data) => {
    const result = schema.safeParse(data);
    return result.success
      ? { value: result.data }
      : { error: refusal(issuesOf(result.error, data)) };
  };
}

function refusal(issues: Issue[]): AppError {
  const message = issues[0]?.message;
  return new AppError('invalid_input', message === undefined ? {} : { message, issues });
}

/** A parameter without a value is one that was not given: clients add one only when it has one. */
function filled(data: unknown): object {
  return Object.fromEntries(Object.entries(data ?? {}).filter(([, value]) => value !== ''));
}

function queryIssue(data: unknown): Issue | null {
  for (const [path, value] of Object.entries(data ?? {})) {
    if (Array.isArray(value)) return { path, message: `${path} is given more than once` };
    // PostgreSQL cannot hold this character in any text.
    if (String(value).includes('\0')) return { path, message: `${path} is not valid` };
  }
  return null;
}
