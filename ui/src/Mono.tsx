import { Check, Copy, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { SafeText, truncateGraphemes, withoutHidden } from './SafeText.tsx';
import { Tooltip } from './Tooltip.tsx';
import { cx } from './classes.ts';
import { useAfterPaint } from './hooks.ts';

interface MonoProps {
  value: string;
  short?: number | undefined;
  /** 'Copy DID'. Without it there is no button. */
  copyLabel?: string | undefined;
}

/** The button never stands alone on a line: it holds on to this many letters. */
const HELD = 4;

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

const FEEDBACK_MS = 2000;

interface CopyButtonProps {
  text: string;
  label: string;
  className?: string | undefined;
}

export function CopyButton({ text, label, className }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  const isPainted = useAfterPaint();

  useEffect(() => {
    if (result === undefined) return undefined;
    const timer = setTimeout(() => setResult(undefined), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [result]);

  const Icon = { copied: Check, failed: X, idle: Copy }[result ?? 'idle'];
  const outcome = { copied: 'Copied', failed: 'Could not copy', idle: '' }[result ?? 'idle'];
  return (
    <Tooltip content={outcome || label} className={cx('align-middle', className)}>
      <button
        type="button"
        aria-label={label}
        onClick={() =>
          void copyText(text).then((isCopied) => setResult(isCopied ? 'copied' : 'failed'))
        }
        className="relative inline-flex size-6 items-center justify-center rounded-sm text-muted transition-colors hover:bg-sunken hover:text-text coarse:after:absolute coarse:after:-inset-2"
      >
        <Icon aria-hidden="true" className={cx('size-3.5', result === 'copied' && 'text-green')} />
      </button>
      {/* There before it says something, so that a screen reader hears it. */}
      {isPainted && <output className="sr-only">{outcome}</output>}
    </Tooltip>
  );
}

/** Over plain http the clipboard interface does not exist: an old command copies a selection. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  // Inside an open dialog only its own elements can be selected.
  const host = document.activeElement?.closest('dialog, [role=dialog], [role=alertdialog]');
  const focused = document.activeElement;
  (host ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}
