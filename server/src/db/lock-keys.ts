/** Advisory locks, one number each: every Meridian on a database must mean the same by them. */
export const LOCKS = {
  migrate: 7_261_541,
  publish: 7_261_542,
  firstAdmin: 7_261_543,
  demo: 7_261_544,
  /** Taken by functions of the schema, which name the number themselves. */
  counters: 7_261_545,
  audit: 7_261_546,
  currencyDeactivation: 7_261_547,
  backlog: 7_261_548,
} as const;
