/** What a client knows of a change: it was told so, it was refused, or it never heard. */
export type Outcome = 'acknowledged' | 'refused' | 'unknown';

/** What the writers were told, kept outside of every victim. */
export type Ledger = {
  /** By name. */
  plans: Map<string, Outcome>;
  /** By memo. */
  tickets: Map<string, Outcome>;
  posts: Map<string, PostLine>;
};

export type PostLine = {
  /** What it may be now: one status, or two while the last change is unknown. */
  possible: string[];
  acknowledged: number;
  unknown: number;
};

export function emptyLedger(): Ledger {
  return { plans: new Map(), tickets: new Map(), posts: new Map() };
}

/** Entries of every kind with this outcome. */
export function countOf(ledger: Ledger, outcome: Outcome): number {
  const made = [...ledger.plans.values(), ...ledger.tickets.values()];
  const steps = [...ledger.posts.values()].map((post) =>
    outcome === 'refused' ? 0 : post[outcome],
  );
  return (
    made.filter((one) => one === outcome).length + steps.reduce((sum, count) => sum + count, 0)
  );
}
