const KNOWN = new Set([
  'ACTIVE',
  'RESTRICTED',
  'SUSPENDED',
  'BLOCKED',
  'PENDING',
  'PROCESSING',
  'EXECUTING',
  'COMPLETED',
  'FAILED',
  'CANCELLED',
  'UNUSED',
  'EXPIRED',
  'REVOKED',
  'INACTIVE',
  'VISIBLE',
  'HIDDEN',
]);

/** 'ACTIVE' -> 'Active'. A word that is none of them is shown as it is. */
export function statusLabel(status: string): string {
  return KNOWN.has(status) ? `${status.charAt(0)}${status.slice(1).toLowerCase()}` : status;
}
