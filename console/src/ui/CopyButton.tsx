import { Check, Copy, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from './copy-text.ts';
import { cx } from './cx.ts';
import { Tooltip } from './Tooltip.tsx';
import { useAfterPaint } from './use-after-paint.ts';

const FEEDBACK_MS = 2000;

export interface CopyButtonProps {
  text: string;
  /** What it copies: 'Copy DID'. */
  label: string;
  className?: string | undefined;
}

/** A small button beside an id. */
export function CopyButton({ text, label, className }: CopyButtonProps) {
  const [result, setResult] = useState<'copied' | 'failed'>();
  const isPainted = useAfterPaint();

  // The tick goes away by itself.
  useEffect(() => {
    if (result === undefined) return undefined;
    const timer = setTimeout(() => setResult(undefined), FEEDBACK_MS);
    return () => clearTimeout(timer);
  }, [result]);

  async function copy() {
    setResult((await copyText(text)) ? 'copied' : 'failed');
  }

  const Icon = { copied: Check, failed: X, idle: Copy }[result ?? 'idle'];
  const outcome = { copied: 'Copied', failed: 'Could not copy', idle: '' }[result ?? 'idle'];
  return (
    <Tooltip content={outcome || label} className={cx('align-middle', className)}>
      <button
        type="button"
        aria-label={label}
        onClick={() => void copy()}
        className="relative inline-flex size-6 items-center justify-center rounded-sm text-muted transition-colors hover:bg-sunken hover:text-text coarse:after:absolute coarse:after:-inset-2"
      >
        <Icon aria-hidden="true" className={cx('size-3.5', result === 'copied' && 'text-green')} />
      </button>
      {/* There before it says something, so that a screen reader hears it. */}
      {isPainted && <output className="sr-only">{outcome}</output>}
    </Tooltip>
  );
}
