import { keepFocusInside } from './keep-focus.ts';
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useId,
  useLayoutEffect,
  useRef,
} from 'react';

interface DialogFrameProps {
  /** Asks for an answer, rather than tells. */
  asks?: boolean;
  title: ReactNode;
  text: ReactNode;
  /** The safe choice: the focus starts here. */
  initialFocus: RefObject<HTMLElement | null>;
  /** Escape, or the back gesture of a phone. */
  onDismiss: () => void;
  /** Enter in a field. Not on a button, nor where Enter opens something: a list, a calendar. */
  onEnter?: (() => void) | undefined;
  /** An error, and the buttons. */
  children: ReactNode;
}

/** What every key says that an input method takes for itself: Safari says it by nothing else. */
const PROCESSED = 229;
const isTaken = ({ nativeEvent }: KeyboardEvent) =>
  nativeEvent.isComposing || nativeEvent.keyCode === PROCESSED;

const isEnterInText = ({ key, target }: KeyboardEvent) =>
  key === 'Enter' && target instanceof Element && target.matches('[type=text]');

/**
 * What every dialog shares. The native element keeps the focus inside, makes the page behind it
 * inert, lies above everything and gives the focus back to the opener. Mounted means open.
 */
export function DialogFrame({
  asks = false,
  title,
  text,
  initialFocus,
  onDismiss,
  onEnter,
  children,
}: DialogFrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();

  // Only a call opens it as a modal. Closing before it leaves the page returns the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    initialFocus.current?.focus();
    return () => element?.close();
  }, [initialFocus]);

  return (
    <dialog
      ref={dialog}
      role={asks ? 'alertdialog' : undefined}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-text`}
      // The owner closes it, by no longer rendering it; until then it stays.
      onCancel={(event) => {
        event.preventDefault();
        onDismiss();
      }}
      // Pressed twice, Escape closes it over any objection of onCancel, but not over this one.
      onKeyDown={(event) => {
        if (isTaken(event)) return;
        keepFocusInside(event);
        if (onEnter !== undefined && isEnterInText(event)) onEnter();
        if (event.key !== 'Escape') return;
        event.preventDefault();
        onDismiss();
      }}
      className="m-auto max-h-[calc(100dvh-2rem)] w-[27rem] max-w-[calc(100vw-2rem)] overflow-y-auto rounded-lg border border-border bg-raised p-5 text-text shadow-pop transition-[opacity,scale] backdrop:bg-overlay starting:scale-98 starting:opacity-0"
    >
      <h2 id={`${id}-title`} className="text-lg wrap-anywhere">
        {title}
      </h2>
      {/* Line breaks are kept: who is meant and what follows may stand on lines of their own. */}
      <div
        id={`${id}-text`}
        className="mt-2 mb-5 text-base wrap-anywhere whitespace-pre-line text-muted"
      >
        {text}
      </div>
      {children}
    </dialog>
  );
}
