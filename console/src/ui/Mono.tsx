import { CopyButton } from './CopyButton.tsx';
import { cx } from './cx.ts';
import { truncateGraphemes } from './truncate-graphemes.ts';

export interface MonoProps {
  /** The whole id; this is what is copied. */
  value: string;
  /** Shows this many characters at most, on one line. */
  short?: number | undefined;
  /** 'Copy DID'. Without it there is no button. */
  copyLabel?: string | undefined;
  onCopied?: (() => void) | undefined;
  className?: string | undefined;
}

/** The button never stands alone on a line: it holds on to this many letters. */
const HELD = 4;

/** An id, code or DID. */
export function Mono({ value, short, copyLabel, onCopied, className }: MonoProps) {
  const copy = copyLabel !== undefined && (
    <CopyButton text={value} label={copyLabel} onCopied={onCopied} className="-my-1 ms-0.5" />
  );
  if (short !== undefined) {
    const shown = truncateGraphemes(value, short);
    return (
      <span className={cx('inline-flex max-w-full min-w-0 items-center', className)}>
        <bdi title={shown === value ? undefined : value} className="text-mono truncate">
          {shown}
        </bdi>
        {copy}
      </span>
    );
  }
  // Only plain letters can be parted anywhere.
  const cut =
    copyLabel !== undefined && /^[ -~]+$/.test(value) ? value.length - HELD : value.length;
  return (
    <span className={className}>
      <bdi className="text-mono">
        {value.slice(0, Math.max(cut, 0))}
        <span className="whitespace-nowrap">
          {value.slice(Math.max(cut, 0))}
          {copy}
        </span>
      </bdi>
    </span>
  );
}
