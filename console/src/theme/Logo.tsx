/** A globe with its meridian, in the accent colour. The name stands beside it in words. */
export function Logo({ className = 'size-6' }: { className?: string }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 32 32"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.5"
      strokeLinecap="round"
      className={`shrink-0 text-accent ${className}`}
    >
      <circle cx="16" cy="16" r="13" />
      <ellipse cx="16" cy="16" rx="5.75" ry="13" />
      <path d="M3 16h26" />
    </svg>
  );
}
