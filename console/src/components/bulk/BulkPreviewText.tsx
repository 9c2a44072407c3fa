import type { BulkPreview } from '@meridian/contract/bulk';
import { firstLanguage } from '@meridian/contract/untrusted';
import { formatNumber } from '../../ui/format-number.ts';
import { SafeText } from '../../ui/SafeText.tsx';
import { truncateGraphemes } from '../../ui/truncate-graphemes.ts';
import { statusLabel } from '../status-label.ts';

const EXAMPLE_LENGTH = 90;

/** What will happen to the rows, which are left alone and why, and the first of them. */
export function BulkPreviewText({ preview }: { preview: BulkPreview }) {
  const { count, consequences, skipped, examples } = preview;
  if (count === 0) return <p>Nothing matches any more.</p>;
  return (
    <div className="flex flex-col gap-2">
      {consequences.map((sentence) => (
        <p key={sentence} className="text-text">
          {sentence}
        </p>
      ))}
      {skipped.map(({ reason, count: left }) => (
        <p key={reason}>
          {formatNumber(left)} will be skipped: {reason.charAt(0).toLowerCase() + reason.slice(1)}.
        </p>
      ))}
      <ul aria-label="Examples" className="mt-1 rounded border border-border text-sm">
        {examples.map(({ id, label, state, languages }) => (
          <li
            key={id}
            className="flex gap-3 border-t border-border px-3 py-1.5 whitespace-normal first:border-0"
          >
            <span dir="auto" className="line-clamp-2 min-w-0 flex-1">
              <SafeText lang={firstLanguage(languages)}>
                {truncateGraphemes(label, EXAMPLE_LENGTH)}
              </SafeText>
            </span>
            <span className="shrink-0">{statusLabel(state)}</span>
          </li>
        ))}
        {count > examples.length && (
          <li className="border-t border-border px-3 py-1.5">
            and {formatNumber(count - examples.length)} more
          </li>
        )}
      </ul>
    </div>
  );
}
