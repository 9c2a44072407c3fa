import type { AuditEntry } from '@meridian/contract/audit';
import { NOTHING } from '../../ui/nothing.ts';
import { changedPaths } from '../form/changes.ts';
import { valueAt } from '../form/field-path.ts';

export interface FieldChange {
  field: string;
  before: string;
  after: string;
}

/** A version says only that something has changed. */
const SILENT = new Set(['version']);

function textOf(value: unknown): string {
  if (value === undefined || value === null || value === '') return NOTHING;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Every field in which the two states differ, those of nested values by their path. */
export function fieldChanges({ before, after }: Pick<AuditEntry, 'before' | 'after'>) {
  return changedPaths(before ?? {}, after ?? {})
    .filter((path) => !SILENT.has(path))
    .map((path): FieldChange => ({
      field: path,
      before: textOf(valueAt(before, path)),
      after: textOf(valueAt(after, path)),
    }));
}
