import type { ReactNode } from 'react';

/** Beside each other where there is room, the side below otherwise. */
export function Columns({ main, side }: { main: ReactNode; side: ReactNode }) {
  return (
    <div className="grid items-start gap-4 @4xl:grid-cols-[minmax(0,1fr)_20rem] @4xl:gap-6">
      <div className="flex min-w-0 flex-col gap-4 @4xl:gap-6">{main}</div>
      <div className="flex min-w-0 flex-col gap-4">{side}</div>
    </div>
  );
}
