/** Beside a limit that a ticket changes. */
export function OverrideMark() {
  return <span className="text-xs font-medium text-accent-text">Override</span>;
}
