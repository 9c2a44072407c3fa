import { Fragment, type ReactNode } from 'react';

/** A longer part of a handle may have to break inside after all. */
const UNBROKEN = 24;
/** Only what could break elsewhere is held together: a list has hundreds of such parts. */
function isHeld(part: string): boolean {
  return part.length <= UNBROKEN && !/^[\w.]*$/.test(part);
}

/** A handle: lines break after its dots before they break anywhere else. */
export function breakAtDots(text: string): ReactNode {
  return text.split(/(?<=\.)/).map((part, index) => (
    // The parts of one text never move.
    // oxlint-disable-next-line react/no-array-index-key
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {isHeld(part) ? <span className="whitespace-nowrap">{part}</span> : part}
    </Fragment>
  ));
}
