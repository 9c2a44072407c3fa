import type { Cause } from '@meridian/contract/cause-words';
import type { CauseFacts } from '@meridian/contract/causes';

/** A post that cannot be sent: `failed` for good, `retry` for a cause that passes. */
export class Unprepared extends Error {
  readonly kind: 'failed' | 'retry';
  readonly reason: Cause;
  readonly facts: CauseFacts;

  constructor(
    kind: 'failed' | 'retry',
    reason: Cause,
    facts: CauseFacts = {},
    options?: ErrorOptions,
  ) {
    super(reason, options);
    this.name = 'Unprepared';
    this.kind = kind;
    this.reason = reason;
    this.facts = facts;
  }
}

export function invalid(reason: string): Unprepared {
  return new Unprepared('failed', 'invalid_record', { reason });
}
