import { useState } from 'react';
import { formatRelative, formatUtc } from './format-time.ts';

/** The second and third reading of a time: UTC, and how far from the moment it is asked for. */
export function TimeDetails({ date }: { date: Date }) {
  const [now] = useState(() => new Date());
  return (
    <>
      <span className="block tabular-nums">{formatUtc(date)}</span>
      <span className="block text-muted">{formatRelative(date, now)}</span>
    </>
  );
}
