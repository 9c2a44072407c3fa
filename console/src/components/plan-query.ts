/** Every screen asks for all plans, inactive and hidden ones included: they share one response. */
export const ALL_PLANS = { query: { includeInactive: true, includeInvisible: true } } as const;
