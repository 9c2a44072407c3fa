import { flushSync } from 'react-dom';
import { type LucideIcon, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Button } from '@meridian/ui/Button.tsx';
import type { ConfirmDialogProps } from '@meridian/ui/dialogs.tsx';
import { SkipLink } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Logo } from '@meridian/ui/theme.tsx';
import { attempt, useAction } from './api/actions.ts';
import { serverNow } from './api/calls.ts';
import type { DraftCard } from './composer/draft.ts';

type FrameProps = {
  /** Stands at the end of the top bar. */
  menu?: ReactNode;
  /** The page has room for a second column. */
  wide?: boolean;
  /** A page without a heading that is seen has one for screen readers. */
  hasTitle?: boolean;
  children?: ReactNode;
};

export function Frame({ menu, wide = false, hasTitle = false, children }: FrameProps) {
  return (
    <>
      <SkipLink />
      <header className="border-b border-border bg-surface">
        <div className="mx-auto flex min-h-14 max-w-[68rem] flex-wrap items-center justify-between gap-x-4 px-4 sm:px-6">
          <span className="flex items-center gap-2.5 text-lg font-semibold">
            <Logo />
            Meridian
          </span>
          {menu}
        </div>
      </header>
      <main
        id="main"
        tabIndex={-1}
        className={`@container mx-auto px-4 py-6 sm:px-6 ${wide ? 'max-w-[68rem]' : 'max-w-[27rem] sm:py-16'}`}
      >
        {!hasTitle && <h1 className="sr-only">Your scheduled posts</h1>}
        {children}
      </main>
    </>
  );
}

type IconButtonProps = { label: string; icon: LucideIcon; onClick: () => void };

export function IconButton({ label, icon: Icon, onClick }: IconButtonProps) {
  return (
    <Button variant="ghost" size="sm" square aria-label={label} onClick={onClick}>
      <Icon aria-hidden="true" />
    </Button>
  );
}

type LinkPreviewProps = { card: DraftCard; lang: string | undefined; onRemove?: () => void };

export function LinkPreview({ card, lang, onRemove }: LinkPreviewProps) {
  const host = URL.parse(card.uri)?.host ?? card.uri;
  return (
    <div className="flex items-start gap-3 rounded border border-border p-2">
      {card.media !== null && (
        <img
          src={card.media.url}
          alt=""
          loading="lazy"
          className="size-16 shrink-0 rounded-sm bg-sunken object-cover"
        />
      )}
      <div className="min-w-0 flex-1 text-sm">
        <p className="truncate text-muted">
          <SafeText>{host}</SafeText>
        </p>
        <p className="line-clamp-1 font-medium wrap-anywhere">
          <SafeText lang={lang}>{card.title === '' ? card.uri : card.title}</SafeText>
        </p>
        <p className="line-clamp-1 text-muted wrap-anywhere">
          <SafeText lang={lang}>{card.description}</SafeText>
        </p>
      </div>
      {onRemove !== undefined && (
        <IconButton label="Remove link preview" icon={X} onClick={onRemove} />
      )}
    </div>
  );
}

/** The first question loads it. */
export const loadDialog = async () => ({
  default: (await import('@meridian/ui/dialogs.tsx')).ConfirmDialog,
});
export const ConfirmDialog = lazy(loadDialog);

type Words = Pick<ConfirmDialogProps, 'title' | 'confirmLabel' | 'cancelLabel' | 'danger'>;
export type Question = Words & { body: ReactNode; run: () => Promise<unknown> };

/** Returns the dialog, to be rendered, and the way to ask. A failure keeps it open, with the reason. */
export function useConfirm(): [ReactNode, (question: Question) => void] {
  const [question, setQuestion] = useState<Question>();
  const { isBusy, error, run, clear } = useAction(async () => question?.run());
  async function confirm() {
    // The action may have asked something else meanwhile.
    if (await run()) setQuestion((now) => (now === question ? undefined : now));
  }
  function cancel() {
    clear();
    setQuestion(undefined);
  }
  const state = {
    open: true,
    busy: isBusy,
    error,
    onConfirm: () => void confirm(),
    onCancel: cancel,
  };
  const dialog = question !== undefined && (
    <Suspense>
      <ConfirmDialog {...question} {...state}>
        {question.body}
      </ConfirmDialog>
    </Suspense>
  );
  return [dialog, (next) => void attempt(loadDialog, () => setQuestion(next))];
}

const STEP_MS = 10_000;

/** The server's time, renewed often enough for slots of a minute. */
export function useNow(): number {
  const [now, setNow] = useState(() => serverNow());
  // The clock is the browser's.
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/**
 * A press may take away what has the focus: a post that is deleted, a picture that is removed. The focus
 * then moves to the heading of its card, or of the page where that is gone too; the browser would let it
 * fall to the top of the page.
 */
export function rescueFocus(): void {
  let focused: Element | undefined;
  let card: Element | null | undefined;
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    focused = target;
    card = target.closest('section');
  });
  new MutationObserver(() => {
    if (focused?.isConnected !== false || document.activeElement !== document.body) return;
    const heading = (card?.isConnected && card.querySelector('h2')) || document.querySelector('h1');
    heading?.setAttribute('tabindex', '-1');
    heading?.focus();
  }).observe(document.body, { subtree: true, childList: true });
}

export const COMPOSER_ID = 'composer';

/** Moves the focus to the first text of the composer, or to the last. */
export function focusComposer(at: 0 | -1 = 0): void {
  const composer = document.getElementById(COMPOSER_ID);
  composer?.scrollIntoView({ block: 'nearest' });
  [...(composer?.querySelectorAll('textarea') ?? [])].at(at)?.focus();
}

/** A member in a field that the change replaces writes on in the new one. */
export function keepWriting<T>(change: () => T): T {
  const field = document.activeElement;
  const result = flushSync(change);
  if (field instanceof HTMLTextAreaElement && !field.isConnected) focusComposer();
  return result;
}
