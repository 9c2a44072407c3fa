import type { Endpoint } from '@meridian/contract/endpoint';
import { type Issue, issuesOf } from '@meridian/contract/validation';
import { valueAt } from './field-path.ts';

export type BodySchema = NonNullable<Endpoint['body']>;
export type BodyOf<S extends BodySchema> = S['_zod']['output'];
/** The body before the contract checks it. Every field is named; an empty one is undefined. */
export type BodyDraft<S extends BodySchema> = DraftOf<S['_zod']['input']>;
type DraftOf<Body> = {
  [Field in keyof Required<Body>]: Field extends keyof Body
    ? Unchecked<Body[Field]> | undefined
    : never;
};
type Unchecked<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends object
      ? { [Name in keyof T]: Unchecked<T[Name]> }
      : T;

export function judge<S extends BodySchema>(
  schema: S | undefined,
  input: BodyDraft<S>,
  ownIssues: readonly Issue[] = [],
): { isValid: true; body: BodyOf<S>; issues: readonly [] } | { isValid: false; issues: Issue[] } {
  // Without a schema the form's own rules are all there are.
  const result = schema?.safeParse(input) ?? { success: true as const, data: input as BodyOf<S> };
  if (result.success && ownIssues.length === 0) {
    return { isValid: true, body: result.data, issues: [] };
  }
  const issues = result.success ? [] : issuesOf(result.error, input);
  return { isValid: false, issues: [...ownIssues, ...issues] };
}

/** The field of an issue: its own, or the one whose text it is a part of (features.en.3). */
function fieldOf(path: string, values: unknown): string | undefined {
  if (path === '') return undefined;
  if (valueAt(values, path) !== undefined) return path;
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')));
  return typeof valueAt(values, parent) === 'string' ? parent : undefined;
}

export type LabelOf = (path: string) => string;

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

/**
 * Puts every issue at its field, and those without one at the foot of the form. A sentence about
 * several fields at once ('Name and symbol are required') stands at the first of them; the other
 * empty ones say no more than that they are missing too.
 */
export function placeIssues(
  issues: readonly Issue[],
  values: unknown,
  labelOf: LabelOf = () => 'This field',
) {
  const atFields = new Map<string, string>();
  const elsewhere = new Set<string>();
  const said = new Set<string>();
  for (const { path, message } of issues) {
    const field = fieldOf(path, values);
    if (field === undefined) elsewhere.add(message);
    else if (!atFields.has(field)) {
      const isRepeated = said.has(message) && isBlank(valueAt(values, field));
      atFields.set(field, isRepeated ? `${labelOf(field)} is required` : message);
    }
    said.add(message);
  }
  return { atFields, elsewhere: [...elsewhere] };
}
