import { Button } from '../ui/Button.tsx';
import { UnexpectedFormNote } from './UnexpectedFormNote.tsx';

export interface LoadNoteProps {
  children: string;
  error?: unknown;
  isRetrying: boolean;
  onRetry: () => void;
}

/** For reads whose failure is only logged: it says quietly that something is missing. */
export function LoadNote({ children, error, isRetrying, onRetry }: LoadNoteProps) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 text-base text-muted">
      <output>
        {children}
        <UnexpectedFormNote error={error} />
      </output>
      <Button size="sm" busy={isRetrying} onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
