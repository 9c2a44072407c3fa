import { UNLIMITED } from '@meridian/contract/fields';
import { PLAN_LIMIT_LABELS } from '@meridian/contract/plan-limits';
import { formatMegabytes, formatNumber } from '@meridian/ui/format.ts';

export type LimitValue = number | boolean | null | undefined;

const LABELS: Readonly<Record<string, string>> = PLAN_LIMIT_LABELS;

/** 'monthly_posts_limit' -> 'Monthly posts'. An unknown name is spelled out as it is. */
export function limitLabel(name: string): string {
  const words = name.replaceAll('_', ' ');
  return LABELS[name] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The limits of a plan in the order people know them; unknown names come last. */
export function limitEntries(limits: Readonly<Record<string, LimitValue>>): [string, LimitValue][] {
  const known = Object.keys(LABELS).filter((name) => name in limits);
  const unknown = Object.keys(limits).filter((name) => !(name in LABELS));
  return [...known, ...unknown].map((name) => [name, limits[name]]);
}

export function limitText(name: string, value: LimitValue): string {
  if (value === null || value === undefined) return 'N/A';
  if (typeof value === 'boolean') return value ? 'Yes' : 'No';
  if (value === UNLIMITED) return 'Unlimited';
  if (name.endsWith('_mb')) return formatMegabytes(value);
  if (name === 'schedule_interval_minutes') return `${formatNumber(value)} min`;
  return formatNumber(value);
}

export type Limits = Readonly<Record<string, LimitValue>>;

/** One limit as the plan has it, and as a ticket changes it. */
export interface LimitInForce {
  name: string;
  ofPlan: LimitValue;
  effective: LimitValue;
  isOverridden: boolean;
}

export function limitInForce(name: string, ofPlan: Limits, overrides: Limits | null): LimitInForce {
  const own = overrides?.[name];
  const isOverridden = own !== null && own !== undefined;
  return { name, ofPlan: ofPlan[name], effective: isOverridden ? own : ofPlan[name], isOverridden };
}

/** Every limit that the plan or the overrides name, in the order people know them. */
export function limitsInForce(ofPlan: Limits, overrides: Limits | null): LimitInForce[] {
  return limitEntries({ ...overrides, ...ofPlan }).map(([name]) =>
    limitInForce(name, ofPlan, overrides),
  );
}

export function OverrideMark() {
  return <span className="text-xs font-medium text-accent-text">Override</span>;
}
