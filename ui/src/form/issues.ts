import type { Endpoint } from '@meridian/contract/endpoint';
import { type Issue, issuesOf } from '@meridian/contract/validation';
import { valueAt } from './field-path.ts';

/** The schema of a body of the contract. */
export type BodySchema = NonNullable<Endpoint['body']>;
export type BodyOf<S extends BodySchema> = S['_zod']['output'];
/**
 * The body that the fields mean, before the contract checks it. Every field of the body is named, so
 * that none is forgotten; undefined is one that was left empty.
 */
export type BodyDraft<S extends BodySchema> = DraftOf<S['_zod']['input']>;
type DraftOf<Body> = {
  [Field in keyof Required<Body>]: Field extends keyof Body
    ? Unchecked<Body[Field]> | undefined
    : never;
};
/** Any text and any number, where the contract takes a few. */
type Unchecked<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends object
      ? { [Name in keyof T]: Unchecked<T[Name]> }
      : T;

export type Validity<S extends BodySchema> =
  | { isValid: true; body: BodyOf<S>; issues: readonly [] }
  | { isValid: false; issues: Issue[] };

/** The form's own rules, which know what was typed, and then what the contract says to the body. */
export function judge<S extends BodySchema>(
  schema: S | undefined,
  input: BodyDraft<S>,
  ownIssues: readonly Issue[] = [],
): Validity<S> {
  if (schema === undefined) {
    // Without a schema the form's own rules are all there are.
    const body = input as BodyOf<S>;
    return ownIssues.length === 0
      ? { isValid: true, body, issues: [] }
      : { isValid: false, issues: [...ownIssues] };
  }
  const result = schema.safeParse(input);
  if (result.success && ownIssues.length === 0) {
    return { isValid: true, body: result.data, issues: [] };
  }
  const issues = result.success ? [] : issuesOf(result.error, input);
  return { isValid: false, issues: [...ownIssues, ...issues] };
}

export interface PlacedIssues {
  /** By the path of the field they stand at. */
  atFields: ReadonlyMap<string, string>;
  /** Those without a field, for the foot of the form. */
  elsewhere: readonly string[];
}

/** The field a problem stands at: its own, or the one whose text it is a part of (features.en.3). */
function fieldOf(path: string, values: unknown): string | undefined {
  if (path === '') return undefined;
  if (valueAt(values, path) !== undefined) return path;
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')));
  return typeof valueAt(values, parent) === 'string' ? parent : undefined;
}

export type LabelOf = (path: string) => string;

const isBlank = (value: unknown) => typeof value === 'string' && value.trim() === '';

/**
 * Puts every problem where it can be solved. A sentence about several fields at once ('Name and
 * symbol are required') stands at the first of them; repeated it would not help, so the
 * other empty ones say no more than that they are missing too.
 */
export function placeIssues(
  issues: readonly Issue[],
  values: unknown,
  labelOf: LabelOf = () => 'This field',
): PlacedIssues {
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
