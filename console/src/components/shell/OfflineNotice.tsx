import { cx } from '../../ui/cx.ts';
import { TONE_CLASS } from '../../ui/tone.ts';
import { useOnline } from '../../ui/use-online.ts';

/** One line under the top edge, in the padding of the page: it comes and goes without a shift. */
export function OfflineNotice() {
  if (useOnline()) return null;
  return (
    <output className="@container sticky top-14 z-20 block h-0 lg:top-0">
      <span
        className={cx(
          'flex h-6 items-center justify-center px-4 text-xs font-medium whitespace-nowrap forced-colors:border-b',
          TONE_CLASS.amber,
        )}
      >
        You are offline. Changes cannot be saved.
        <span className="@max-xl:sr-only">&nbsp;What you see may be out of date.</span>
      </span>
    </output>
  );
}
