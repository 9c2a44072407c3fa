import { issuesOf } from '@meridian/contract/validation';
import type * as z from 'zod/mini';

/** Why a line does not have the format; null when it has. */
export function faultOf(schema: z.ZodMiniType, text: string): string | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'The line is not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'The line is not a JSON object';
  const { success, error } = schema.safeParse(value);
  if (success) return null;
  const messages = issuesOf(error, value).map(({ message }) => message);
  return [...new Set(messages)].join('; ');
}
