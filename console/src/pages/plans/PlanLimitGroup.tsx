import type { ReactNode } from 'react';

/** Limits that are read together. */
export function PlanLimitGroup({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="border-t border-border pt-4 first:border-0 first:pt-0">
      <legend className="float-start mb-3 w-full text-sm font-semibold text-muted">{title}</legend>
      <div className="clear-both grid items-start gap-x-4 gap-y-5 @xl:grid-cols-2 @3xl:grid-cols-3">
        {children}
      </div>
    </fieldset>
  );
}
