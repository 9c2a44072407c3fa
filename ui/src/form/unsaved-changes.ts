import { useEffect } from 'react';
import { useBlocker, useLocation } from 'react-router';
import { confirm, dismissDialog } from '../dialog-host.tsx';
import { withdrawDrafts } from './drafts.ts';
import { getOwner } from '../api/session.ts';

interface LeaveQuestion {
  title: string;
  body: string;
  danger: boolean;
}

const questions = new Set<LeaveQuestion>();
let asked: LeaveQuestion | undefined;

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

const LOSING = {
  title: 'Discard unsaved changes?',
  body: 'If you leave this page now, the changes you made will be lost.',
  danger: true,
};
const SAVING = {
  title: 'Leave before the changes are saved?',
  body: 'They have been sent, but saving them may still fail. What you typed would then be lost.',
  danger: false,
};

/** Leaving the page, by whatever way, asks first while there is something to lose. */
export function useUnsavedGuard(isDirty: boolean, isSaving = false): void {
  const { pathname } = useLocation();
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isDirty &&
      // A form that was left stays registered for a moment: a quick Back must not be blocked by it.
      currentLocation.pathname === pathname &&
      nextLocation.pathname !== pathname &&
      getOwner() !== null,
  );

  // Closing the tab is not a navigation of ours; the browser asks in its own words.
  useEffect(() => {
    if (!isDirty) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const question = { ...(isSaving ? SAVING : LOSING) };
    questions.add(question);
    window.addEventListener('beforeunload', ask);
    return () => {
      window.removeEventListener('beforeunload', ask);
      questions.delete(question);
      // It no longer holds: the page shows what has happened.
      if (asked === question) dismissDialog();
    };
  }, [isDirty, isSaving]);

  useEffect(() => {
    if (blocker.state !== 'blocked') return undefined;
    let isCurrent = true;
    void mayLeave().then((isWanted) => {
      // A second Back meanwhile is blocked and asked anew: the first question decides nothing.
      if (!isCurrent) return;
      if (isWanted) blocker.proceed();
      else blocker.reset();
    });
    return () => {
      isCurrent = false;
    };
  }, [blocker]);
}
