/** Beside a limit that the ticket changes. */
export function OverrideMark() {
  return <span className="text-xs font-medium text-accent-text">Override</span>;
}
