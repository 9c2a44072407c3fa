import { Pause, Play } from 'lucide-react';
import { togglePaused, usePaused } from '../api/pause.ts';
import { ageText } from '../ui/age-text.ts';
import { formatDateTime } from '../ui/format-time.ts';
import { useNow } from './use-now.ts';

/** 'Updated 12 s ago', and the switch that stops the updates of this tab. */
export function DataAgeLine({ at }: { at: number }) {
  const isPaused = usePaused();
  const now = useNow(1_000).getTime();

  const Icon = isPaused ? Play : Pause;
  const label = isPaused ? 'Resume updates' : 'Pause updates';
  return (
    <>
      <p>
        {isPaused
          ? `Paused, as of ${formatDateTime(new Date(at))}`
          : `Updated ${ageText(Math.max(0, now - at))}`}
      </p>
      {/* No tooltip of ours: an open one holds the updates back. */}
      <button
        type="button"
        title={label}
        aria-label={label}
        data-print="hide"
        onClick={togglePaused}
        className="relative inline-flex size-6 items-center justify-center rounded-sm transition-colors hover:bg-sunken hover:text-text coarse:after:absolute coarse:after:-inset-2"
      >
        <Icon aria-hidden="true" className="size-3.5" />
      </button>
    </>
  );
}
