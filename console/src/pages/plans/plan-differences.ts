import { LANGUAGE_NAMES } from '@meridian/contract/languages';
import { limitLabel } from '../../components/limit-text.ts';
import type { PlanValues } from './plan-values.ts';

export interface PlanDifference {
  path: string;
  label: string;
  mine: string;
  theirs: string;
}

const LABELS: Readonly<Record<string, string>> = {
  name: 'Name',
  displayName: 'Display name',
  description: 'Description',
  features: 'Features',
  isPaid: 'Paid plan',
  currency: 'Default currency',
  priceMonthly: 'Monthly price',
  priceYearly: 'Yearly price',
  displayOrder: 'Display order',
  isActive: 'Active',
  isVisible: 'Visible',
};

const LANGUAGES: Readonly<Record<string, string>> = LANGUAGE_NAMES;

function labelOf(path: string): string {
  const [head = '', detail] = path.split('.');
  const words = LABELS[head] ?? head;
  if (detail === undefined) return words;
  if (head === 'limits') return limitLabel(detail);
  return `${words} (${LANGUAGES[detail] ?? detail.toUpperCase()})`;
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  return typeof value === 'string' && value.trim() !== '' ? value : '–';
}

/** Every field by its path, as people read it. */
function fieldsOf(values: object, prefix = ''): [string, string][] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) =>
    typeof value === 'object' && value !== null
      ? fieldsOf(value, `${prefix}${key}.`)
      : [[`${prefix}${key}`, textOf(value)]],
  );
}

/** What stands otherwise in the two versions, in the order of the form. */
export function planDifferences(mine: PlanValues, theirs: PlanValues): PlanDifference[] {
  const my = new Map(fieldsOf(mine));
  const their = new Map(fieldsOf(theirs));
  const paths = new Set([...my.keys(), ...their.keys()]);
  return [...paths].flatMap((path) => {
    const difference = { mine: my.get(path) ?? '–', theirs: their.get(path) ?? '–' };
    return difference.mine === difference.theirs
      ? []
      : [{ path, label: labelOf(path), ...difference }];
  });
}
