import type { ReactNode } from 'react';
import { splitHidden } from './hidden-characters.ts';

export interface SafeTextProps {
  /** A text that anyone may have written. */
  children: string;
  /** A span for the pieces of one longer text, which share its direction; isolated without it. */
  as?: 'bdi' | 'span' | undefined;
  /** How a visible piece is drawn: as it is without this. */
  draw?: ((text: string) => ReactNode) | undefined;
  /** Of the text, where it is known. What is said of hidden characters is in that of the page. */
  lang?: string | undefined;
  className?: string | undefined;
  title?: string | undefined;
}

/** Enough to tell what kind of characters a run is made of. */
const NAMED = 6;

function HiddenMark({ codePoints }: { codePoints: readonly string[] }) {
  const more = codePoints.length > NAMED ? ' …' : '';
  return (
    <span
      aria-hidden="true"
      title={`${codePoints.slice(0, NAMED).join(' ')}${more}`}
      className="mx-px inline-block h-[0.7em] w-[0.45em] rounded-[2px] border border-dashed border-amber bg-amber-tint align-baseline"
    />
  );
}

/**
 * A foreign text in our line: isolated, so that a right-to-left name turns nothing around it, and
 * with every hidden character marked, so that no name can pose as another.
 */
export function SafeText({
  children,
  as: Box = 'bdi',
  draw,
  lang,
  className,
  title,
}: SafeTextProps) {
  const { parts, hiddenCount } = splitHidden(children);
  return (
    <>
      <Box lang={lang} className={className} title={title}>
        {parts.map((part, index) =>
          part.kind === 'hidden' ? (
            // The parts of one text never move.
            // oxlint-disable-next-line react/no-array-index-key
            <HiddenMark key={index} codePoints={part.codePoints} />
          ) : (
            (draw?.(part.text) ?? part.text)
          ),
        )}
      </Box>
      {hiddenCount > 0 && (
        // In a box that cuts its text, made a flex box, this stays in sight.
        <small className="ms-1.5 inline-block max-w-full shrink-0 text-xs font-normal text-amber">
          {hiddenCount} hidden {hiddenCount === 1 ? 'character' : 'characters'}
        </small>
      )}
    </>
  );
}
