import { CopyButton } from './CopyButton.tsx';
import { withoutHidden } from './hidden-characters.ts';
import { SafeText } from './SafeText.tsx';
import { truncateGraphemes } from './truncate-graphemes.ts';

export interface MonoProps {
  /** The whole id; this is what is copied. */
  value: string;
  /** Shows this many characters at most, on one line. */
  short?: number | undefined;
  /** 'Copy DID'. Without it there is no button. */
  copyLabel?: string | undefined;
}

/** The button never stands alone on a line: it holds on to this many letters. */
const HELD = 4;

/** An id, code or DID. */
export function Mono({ value, short, copyLabel }: MonoProps) {
  const copy = copyLabel !== undefined && (
    <CopyButton text={value} label={copyLabel} className="-my-1 ms-0.5" />
  );
  if (short !== undefined) {
    const shown = truncateGraphemes(value, short);
    return (
      <span className="inline-flex max-w-full min-w-0 items-center">
        <SafeText
          title={shown === value ? undefined : withoutHidden(value)}
          className="text-mono truncate"
        >
          {shown}
        </SafeText>
        {copy}
      </span>
    );
  }
  // Only plain letters can be parted anywhere.
  if (copyLabel === undefined || !/^[ -~]+$/.test(value)) {
    return (
      <span>
        <SafeText className="text-mono">{value}</SafeText>
        {copy}
      </span>
    );
  }
  const cut = Math.max(value.length - HELD, 0);
  return (
    <span>
      <bdi className="text-mono">
        {value.slice(0, cut)}
        <span className="whitespace-nowrap">
          {value.slice(cut)}
          {copy}
        </span>
      </bdi>
    </span>
  );
}
