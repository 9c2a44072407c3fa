import { confirm, dismissDialog } from '../dialogs/dialog-store.ts';
import { withdrawDrafts } from './drafts.ts';

/** What is asked before a form is left. Its words come with the forms, not with every page. */
export interface LeaveQuestion {
  title: string;
  body: string;
  danger: boolean;
}

/** Of the forms on screen that hold something unsaved. */
const questions = new Set<LeaveQuestion>();
let asked: LeaveQuestion | undefined;

export function markUnsaved(question: LeaveQuestion): () => void {
  questions.add(question);
  return () => {
    questions.delete(question);
    // It no longer holds: the page shows what has happened.
    if (asked === question) dismissDialog();
  };
}

/** Asks before unsaved changes are lost; true when there are none, or none worth keeping. */
export async function mayLeave(): Promise<boolean> {
  const [question] = questions;
  if (question === undefined) return true;
  asked = question;
  const isWanted = await confirm({ ...question, run: () => Promise.resolve(), failed: '' });
  asked = undefined;
  if (isWanted) withdrawDrafts();
  return isWanted;
}
