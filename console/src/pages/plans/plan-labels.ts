import { LANGUAGE_NAMES } from '@meridian/contract/languages';
import { limitLabel } from '../../components/limit-text.ts';
import type { PlanValues } from './plan-values.ts';

const LABELS: Readonly<Record<string, string>> = {
  tier: 'Tier',
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
} satisfies Record<Exclude<keyof PlanValues, 'limits'>, string>;

const LANGUAGES: Readonly<Record<string, string>> = LANGUAGE_NAMES;

/** What people read for a field of the plan form: 'limits.storage_mb' -> 'Storage'. */
export function planLabel(path: string): string {
  const [head = '', detail] = path.split('.');
  const words = LABELS[head] ?? head;
  if (detail === undefined) return words;
  if (head === 'limits') return limitLabel(detail);
  return `${words} (${LANGUAGES[detail] ?? detail.toUpperCase()})`;
}
