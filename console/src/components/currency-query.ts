/** Every screen asks for inactive currencies too, so that all of them share one response. */
export const ALL_CURRENCIES = { query: { includeInactive: true } } as const;
