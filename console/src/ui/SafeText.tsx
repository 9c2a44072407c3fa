import { Fragment } from 'react';
import { splitHidden } from './hidden-characters.ts';

export interface SafeTextProps {
  /** A name, handle or title written by somebody else. */
  children: string;
  /** A handle: lines break after its dots before they break anywhere else. */
  atDots?: boolean | undefined;
  className?: string | undefined;
}

/** A longer part of a handle may have to break inside after all. */
const UNBROKEN = 24;

function withBreaks(text: string) {
  return text.split(/(?<=\.)/).map((part, index) => (
    // The parts of one text never move.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index > 0 && <wbr />}
      <span className={part.length <= UNBROKEN ? 'whitespace-nowrap' : undefined}>{part}</span>
    </Fragment>
  ));
}

/**
 * Somebody else's words in our line: isolated, so that a right-to-left name turns nothing around
 * it, and with every hiding character shown, so that no name can pose as another.
 */
export function SafeText({ children, atDots = false, className }: SafeTextProps) {
  const { parts, hiddenCount } = splitHidden(children);
  if (hiddenCount === 0) {
    const only = parts[0];
    const text = only?.kind === 'text' ? only.text : '';
    return <bdi className={className}>{atDots ? withBreaks(text) : text}</bdi>;
  }
  return (
    <>
      <bdi className={className}>
        {parts.map((part, index) =>
          part.kind === 'text' ? (
            part.text
          ) : (
            <span
              // The parts of one text never move.
              // oxlint-disable-next-line react/no-array-index-key
              key={index}
              aria-hidden="true"
              title={part.codePoint}
              className="mx-px inline-block h-[0.7em] w-[0.45em] rounded-[2px] border border-dashed border-amber bg-amber-tint align-baseline"
            />
          ),
        )}
      </bdi>
      <span className="ms-1.5 text-xs font-normal whitespace-nowrap text-amber">
        {hiddenCount} hidden {hiddenCount === 1 ? 'character' : 'characters'}
      </span>
    </>
  );
}
