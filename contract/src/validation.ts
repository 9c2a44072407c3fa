import type * as z from 'zod/mini';

export type Issue = { path: string; message: string };

/** Missing fields come before malformed ones: who shows only the first asks for the empty fields first. */
export function issuesOf(error: z.core.$ZodError, input: unknown): Issue[] {
  const isMissing = ({ path }: z.core.$ZodIssue) => isBlank(valueAt(input, path));
  return error.issues
    .toSorted((a, b) => Number(isMissing(b)) - Number(isMissing(a)))
    .map((issue) => ({
      path: issue.path.map(String).join('.'),
      message: sentence(issue, isMissing(issue)),
    }));
}

/** Fields bring their own sentences; these are for what has none. */
const NO_SENTENCE = 'Invalid input';

function sentence(issue: z.core.$ZodIssue, isMissing: boolean): string {
  if (issue.code === 'unrecognized_keys') {
    return `Unknown field: ${issue.keys.join(', ').slice(0, 80)}`;
  }
  if (issue.message !== NO_SENTENCE) return issue.message;
  const field = issue.path.map(String).join('.');
  if (field === '') return 'The request is not valid';
  return isMissing ? `${field} is required` : `${field} is not valid`;
}

function isBlank(value: unknown): boolean {
  return value === undefined || (typeof value === 'string' && value.trim() === '');
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}
