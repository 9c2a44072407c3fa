import { onSessionEnd } from '../../api/session-end.ts';
import { getSession } from '../../auth/session.ts';

/*
 * A session may end in the middle of a form. What was typed is kept in memory, and nowhere else,
 * until the same administrator is back at the same address.
 */

export interface Draft {
  /** What the fields held at first. */
  first: object;
  values: object;
}

/** Of the forms on screen, by their address. */
const open = new Map<string, Draft>();
let kept = { username: '', drafts: new Map<string, Draft>() };

/** Of a form with something to lose. To be withdrawn when it is saved, left, or typed back. */
export function offerDraft(address: string, draft: Draft): () => void {
  open.set(address, draft);
  return () => open.delete(address);
}

/** What is given up by choice is not brought back. */
export function withdrawDrafts(): void {
  open.clear();
}

/** Drafts are shown only to the administrator who typed them. */
function draftsOf(username: string): Map<string, Draft> {
  if (kept.username !== username) kept = { username, drafts: new Map() };
  return kept.drafts;
}

function username(): string {
  const session = getSession();
  return session.phase === 'signed-in' ? session.admin.username : '';
}

/** What the signed-in administrator typed at this address. */
export function draftAt(address: string): Draft | undefined {
  return draftsOf(username()).get(address);
}

/** A draft serves once. */
export function forgetDraft(address: string): void {
  kept.drafts.delete(address);
}

/** The session is told of its end while it still knows whose it was. */
onSessionEnd(() => {
  if (open.size === 0) return;
  const drafts = draftsOf(username());
  for (const [address, draft] of open) drafts.set(address, draft);
});
