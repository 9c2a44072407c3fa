import { CopyButton } from './CopyButton.tsx';
import { cx } from './cx.ts';
import { truncateGraphemes } from './truncate-graphemes.ts';

export interface MonoProps {
  /** The whole id; this is what is copied. */
  value: string;
  /** Shows this many characters at most. */
  short?: number | undefined;
  /** 'Copy DID'. Without it there is no button. */
  copyLabel?: string | undefined;
  onCopied?: (() => void) | undefined;
  className?: string | undefined;
}

/** An id, code or DID. */
export function Mono({ value, short, copyLabel, onCopied, className }: MonoProps) {
  const shown = short === undefined ? value : truncateGraphemes(value, short);
  return (
    <span
      className={cx(
        // Cut, it keeps to one line; whole, it may break, and the button follows its last letter.
        short !== undefined && 'inline-flex max-w-full min-w-0 items-center',
        className,
      )}
    >
      <bdi
        title={shown === value ? undefined : value}
        className={cx('text-mono', short !== undefined && 'truncate')}
      >
        {shown}
      </bdi>
      {copyLabel !== undefined && (
        <CopyButton text={value} label={copyLabel} onCopied={onCopied} className="-my-1 ms-0.5" />
      )}
    </span>
  );
}
