import type { MePost } from '@meridian/contract/me/posts';
import { readStored, writeStored } from '../../../console/src/api/storage.ts';
import { type Draft, draftOf, emptyDraft, isEmptyDraft } from './draft.ts';

export type SentDraft = Draft & { sent: NonNullable<Draft['sent']> };

export type DraftStore = {
  get: () => Draft;
  subscribe: (listener: () => void) => () => void;
  /** By a function of the draft as it is then, for what comes later: an upload, a preview. */
  change: (next: (draft: Draft) => Draft) => void;
  /** The draft was sent as it is: until it is changed, sending it again is the same request. */
  markSent: (sent: SentDraft['sent']) => SentDraft;
  edit: (post: MePost) => void;
  /** This draft became the post. What was typed after it was sent is kept, as a change of that post. */
  settle: (sent: SentDraft, post: MePost) => void;
  /** Thrown away. */
  discard: () => void;
  /** For what was written to the storage by another tab. */
  follow: (event: Pick<StorageEvent, 'key'>) => void;
};

/** A post that is being changed lies beside the new one, which is there again afterwards. */
type Kind = 'new' | 'edit';
const keyOf = (userId: string, kind: Kind) => `meridian_draft:${kind}:${userId}`;
const kindOf = (draft: Draft): Kind => (draft.editing === null ? 'new' : 'edit');

/**
 * What is being written, in the browser's storage with every change: it outlives a reload, the end
 * of the session and the loss of the connection. All tabs of a person write the same draft, and so
 * send it with the same key: it becomes one post, in whichever tab the button is pressed.
 */
export function createDraftStore(userId: string, language: string): DraftStore {
  const listeners = new Set<() => void>();
  const load = () => readDraft(userId, 'edit') ?? readDraft(userId, 'new') ?? emptyDraft(language);
  let draft = load();

  function show(next: Draft) {
    draft = next;
    for (const listener of listeners) listener();
  }
  function keep(next: Draft) {
    const isKept = next.editing !== null || !isEmptyDraft(next);
    writeStored(keyOf(userId, kindOf(next)), isKept ? JSON.stringify(next) : null);
    show(next);
  }
  function drop(kind: Kind) {
    writeStored(keyOf(userId, kind), null);
    // Without storage the draft that lay beside is lost; what was sent is not shown again.
    show(load());
  }
  return {
    get: () => draft,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: (next) => keep({ ...next(draft), sent: null }),
    markSent(sent) {
      const marked = { ...draft, sent };
      keep(marked);
      return marked;
    },
    edit: (post) => keep(draftOf(post)),
    settle(sent, { id, version }) {
      const kind = kindOf(sent);
      const isAsSent = (one: Draft | null) => one?.sent?.key === sent.sent.key;
      const isShown = draft.parts.some((part) => sent.parts.some((old) => old.id === part.id));
      if (isShown && !isAsSent(draft)) {
        writeStored(keyOf(userId, kind), null);
        keep({ ...draft, at: draft.at ?? sent.sent.at, editing: { id, version }, sent: null });
      } else if (isAsSent(draft) || isAsSent(readDraft(userId, kind))) drop(kind);
    },
    discard: () => drop(kindOf(draft)),
    follow({ key }) {
      const isOurs = key === null || key === keyOf(userId, 'new') || key === keyOf(userId, 'edit');
      if (isOurs) show(load());
    },
  };
}

export function forgetDrafts(userId: string): void {
  writeStored(keyOf(userId, 'new'), null);
  writeStored(keyOf(userId, 'edit'), null);
}

function readDraft(userId: string, kind: Kind): Draft | null {
  try {
    const draft: unknown = JSON.parse(readStored(keyOf(userId, kind)) ?? 'null');
    return isDraft(draft) ? draft : null;
  } catch {
    return null;
  }
}

/** Written by an older version of this page, or by something else: better none than a broken one. */
function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const isWhole = Object.keys(emptyDraft('')).every((name) => name in value);
  const parts: unknown = Reflect.get(value, 'parts');
  return isWhole && Array.isArray(parts) && parts.length > 0 && parts.every(isPart);
}

function isPart(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return (
    typeof Reflect.get(value, 'text') === 'string' && Array.isArray(Reflect.get(value, 'pictures'))
  );
}
