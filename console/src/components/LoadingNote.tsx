import { Spinner } from '../ui/Spinner.tsx';

/** 'Loading...' in words, over skeletons: it takes no room of its own, so nothing moves after. */
export function LoadingNote({ children = 'Loading...' }: { children?: string }) {
  return (
    <output className="pointer-events-none relative z-1 block h-0 text-sm text-muted">
      <span className="absolute start-1/2 top-24 flex -translate-x-1/2 items-center gap-2 rounded-full border border-border bg-raised px-3.5 py-1.5 whitespace-nowrap shadow-pop">
        <Spinner className="size-3.5" />
        {children}
      </span>
    </output>
  );
}
