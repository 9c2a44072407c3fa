import { Spinner } from '../ui/Spinner.tsx';

/** While it is not known who is there. */
export function LoadingScreen() {
  return (
    <output className="flex min-h-dvh items-center justify-center gap-2.5 text-base text-muted">
      <Spinner />
      Loading...
    </output>
  );
}
