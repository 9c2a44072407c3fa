import { type ReactNode, useState } from 'react';
import { ConfirmDialog } from '../../../console/src/ui/ConfirmDialog.tsx';
import { useAction } from '../api/use-action.ts';

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
  const [question, ask] = useState<Question>();
  const action = useAction(async () => question?.run());
  const dialog = question !== undefined && (
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
          if (isDone) ask((now) => (now === question ? undefined : now));
        });
      }}
      onCancel={() => {
        action.clear();
        ask(undefined);
      }}
    >
      {question.body}
    </ConfirmDialog>
  );
  return [dialog, ask];
}
