/** Every value in a form by its path: 'name', 'displayName.en', 'limits.storage_mb'. */
export type FieldPath<Values> = Values extends object
  ? {
      [Key in keyof Values & string]: Values[Key] extends object
        ? Values[Key] extends readonly unknown[]
          ? Key
          : Key | `${Key}.${FieldPath<Values[Key]>}`
        : Key;
    }[keyof Values & string]
  : never;

export type FieldValue<Values, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Values
    ? FieldValue<Values[Head], Rest>
    : never
  : Path extends keyof Values
    ? Values[Path]
    : never;

export type PathOf<Values, Kind> = {
  [Path in FieldPath<Values>]: FieldValue<Values, Path> extends Kind ? Path : never;
}[FieldPath<Values>];

export function valueAt(values: unknown, path: string): unknown {
  let value = values;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

export function withValueAt<Values>(values: Values, path: string, value: unknown): Values {
  const [head = '', ...rest] = path.split('.');
  const inner =
    rest.length === 0 ? value : withValueAt(valueAt(values, head) ?? {}, rest.join('.'), value);
  return { ...values, [head]: inner };
}

function pathsOf(values: object, prefix = ''): string[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? pathsOf(value, `${prefix}${key}.`)
      : [`${prefix}${key}`],
  );
}

/** A field that was never filled and one that was emptied are the same. */
const isSame = (a: unknown, b: unknown) => (a ?? '') === (b ?? '');

/** The fields in which the two differ, in the order of the form. */
export function changedPaths(from: object, to: object): string[] {
  const paths = new Set([...pathsOf(from), ...pathsOf(to)]);
  return [...paths].filter((path) => !isSame(valueAt(from, path), valueAt(to, path)));
}

/** Makes the changes between the first two once more, on top of the third. */
export function mergeChanges<Values extends object>(
  from: Values,
  changed: Values,
  onto: Values,
): Values {
  let merged = onto;
  for (const path of changedPaths(from, changed)) {
    merged = withValueAt(merged, path, valueAt(changed, path) ?? '');
  }
  return merged;
}
