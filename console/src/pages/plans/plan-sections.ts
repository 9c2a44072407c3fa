/** The cards of the plan form in their order; the ids are those of their headings. */
export const PLAN_SECTIONS = [
  { id: 'plan-basics', title: 'Plan' },
  { id: 'plan-texts', title: 'Names and descriptions' },
  { id: 'plan-pricing', title: 'Pricing' },
  { id: 'plan-limits', title: 'Limits' },
] as const;
