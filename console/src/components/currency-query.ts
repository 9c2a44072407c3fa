/** Every screen asks for inactive currencies too, so that all of them share one answer. */
export const ALL_CURRENCIES = { query: { includeInactive: true } } as const;
