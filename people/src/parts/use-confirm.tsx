import { lazy, type ReactNode, Suspense, useState } from 'react';
import { attempt } from '../api/attempt.ts';
import { useAction } from '../api/use-action.ts';

/** Loaded by the first question. */
const loadDialog = async () => ({
  default: (await import('../../../console/src/ui/ConfirmDialog.tsx')).ConfirmDialog,
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
