import { limitEntries, type LimitValue } from './limit-text.ts';

export type Limits = Readonly<Record<string, LimitValue>>;

/** One limit as the plan has it, and as a ticket changes it. */
export interface LimitInForce {
  name: string;
  ofPlan: LimitValue;
  /** What the user gets. */
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
