import type { FailableQuery } from './LoadError.tsx';
import { Button } from '../ui/Button.tsx';
import { UnexpectedFormNote } from './UnexpectedFormNote.tsx';

export interface LoadNoteProps {
  children: string;
  query: FailableQuery;
}

/** For reads whose failure is only logged: it says quietly that something is missing. */
export function LoadNote({ children, query: { error, isFetching, refetch } }: LoadNoteProps) {
  if (error === null) return null;
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-base text-muted">
      <output>
        {children}
        <UnexpectedFormNote error={error} />
      </output>
      <Button size="sm" busy={isFetching} onClick={() => void refetch()}>
        Retry
      </Button>
    </div>
  );
}
