import { valueAt, withValueAt } from './field-path.ts';

function pathsOf(values: object, prefix = ''): string[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? pathsOf(value, `${prefix}${key}.`)
      : [`${prefix}${key}`],
  );
}

/** A field that was never filled and one that was emptied are the same. */
const isSame = (a: unknown, b: unknown) => (a ?? '') === (b ?? '');

/** The fields that stand otherwise in the two, in the order of the form. */
export function changedPaths(from: object, to: object): string[] {
  const paths = new Set([...pathsOf(from), ...pathsOf(to)]);
  return [...paths].filter((path) => !isSame(valueAt(from, path), valueAt(to, path)));
}

/** What was changed on the way from one to the other, done again to a third; the rest stays its own. */
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
