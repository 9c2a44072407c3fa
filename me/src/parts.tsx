import { flushSync } from 'react-dom';
import { type LucideIcon, X } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { Button } from '@meridian/ui/Button.tsx';
import { SkipLink } from '@meridian/ui/PageHeader.tsx';
import { SafeText } from '@meridian/ui/SafeText.tsx';
import { Logo } from '@meridian/ui/theme.tsx';
import { attempt, serverNow } from './api/calls.ts';
import { useAction } from './api/use-action.ts';
import type { DraftCard } from './composer/draft.ts';

type FrameProps = {
  /** At the end of the top bar. */
  menu?: ReactNode;
  /** One column of text, or the page with its second column. */
  wide?: boolean;
  /** Where the page has no heading that is seen, screen readers have one. */
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

/** A small button without words. */
export function IconButton({ label, icon: Icon, onClick }: IconButtonProps) {
  return (
    <Button variant="ghost" size="sm" square aria-label={label} onClick={onClick}>
      <Icon aria-hidden="true" />
    </Button>
  );
}

type LinkPreviewProps = { card: DraftCard; lang: string | undefined; onRemove?: () => void };

/** What a link shows of the page it leads to. */
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

/** Loaded by the first question. */
const loadDialog = async () => ({
  default: (await import('@meridian/ui/dialogs.tsx')).ConfirmDialog,
});
const ConfirmDialog = lazy(loadDialog);

export type Question = {
  title: string;
  /** What will happen. */
  body: ReactNode;
  confirmLabel: string;
  cancelLabel?: string;
  danger?: boolean;
  run: () => Promise<unknown>;
};

/** The dialog, to be rendered, and how to ask. It stays open with the reason when it fails. */
export function useConfirm(): [ReactNode, (question: Question) => void] {
  const [question, setQuestion] = useState<Question>();
  const action = useAction(async () => question?.run());
  const dialog = question !== undefined && (
    <Suspense>
      <ConfirmDialog
        open
        title={question.title}
        confirmLabel={question.confirmLabel}
        cancelLabel={question.cancelLabel}
        danger={question.danger}
        busy={action.isBusy}
        error={action.error}
        onConfirm={() => {
          void action.run().then((isDone) => {
            // What ran may have asked something else meanwhile.
            if (isDone) setQuestion((now) => (now === question ? undefined : now));
          });
        }}
        onCancel={() => {
          action.clear();
          setQuestion(undefined);
        }}
      >
        {question.body}
      </ConfirmDialog>
    </Suspense>
  );
  return [dialog, (next) => void attempt(loadDialog, () => setQuestion(next))];
}

const STEP_MS = 10_000;

/** The server's time, often enough for slots of a minute. */
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
 * What has the focus may be taken away by its own press: a post that is deleted, a note that is
 * dismissed, a picture that is removed. The focus then moves to the heading of its card, or of the
 * page where that is gone too; the browser would let it fall to the top of the page.
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

/** To its first text, or to the last. */
export function focusComposer(at: 0 | -1 = 0): void {
  const composer = document.getElementById(COMPOSER_ID);
  composer?.scrollIntoView({ block: 'nearest' });
  [...(composer?.querySelectorAll('textarea') ?? [])].at(at)?.focus();
}

/** Who is in a field that the change replaces writes on in the new one. */
export function keepWriting<T>(change: () => T): T {
  const field = document.activeElement;
  const result = flushSync(change);
  if (field instanceof HTMLTextAreaElement && !field.isConnected) focusComposer();
  return result;
}
