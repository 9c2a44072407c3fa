import type { MePost } from '@meridian/contract/me/posts';
import { readStored, writeStored } from '@meridian/ui/api/browser.ts';
import { type Draft, draftOf, emptyDraft, isEmptyDraft } from './draft.ts';

export type SentDraft = Draft & { sent: NonNullable<Draft['sent']> };

export type DraftStore = {
  get: () => Draft;
  subscribe: (listener: () => void) => () => void;
  /** Takes a function of the draft as it is then: an upload or a preview comes later. */
  change: (next: (draft: Draft) => Draft) => void;
  /**
   * The draft is sent as it is: until it is changed, sending it again is the same request. A new post
   * leaves the composer to the next one meanwhile; a change of a post stays where it is.
   */
  markSent: (draft: Draft, sent: SentDraft['sent']) => SentDraft;
  /** This draft became the post. What was typed into a change after it was sent is kept. */
  settle: (sent: SentDraft, post: MePost) => void;
  /**
   * This draft did not become a post. It is shown again, after the one that is being written by now.
   * A refused one is another request from now on.
   */
  giveBack: (sent: SentDraft, isRefused: boolean) => void;
  edit: (post: MePost) => void;
  /** The post that is changed is another version by now; without a version there is none any more. */
  rebase: (id: string, version: number | null) => void;
  discard: () => void;
  /** Another tab has written to the storage. */
  follow: (event: Pick<StorageEvent, 'key'>) => void;
};

/** A post that is being changed lies beside the new ones, which are there again afterwards. */
type Kind = 'new' | 'edit';
const keyOf = (memberId: string, kind: Kind) => `meridian_draft:${kind}:${memberId}`;

/**
 * Every change of a draft goes into the browser's storage: it outlives a reload, the end of the session and
 * the loss of the connection. All tabs of a member write the same drafts, and so send one with the same
 * key: it becomes one post, in whichever tab the button is pressed.
 */
export function createDraftStore(memberId: string, language: string): DraftStore {
  const listeners = new Set<() => void>();
  const keys = { new: keyOf(memberId, 'new'), edit: keyOf(memberId, 'edit') };
  let edited: Draft | undefined;
  let drafts: readonly Draft[] = [];
  /** The key of a new post on its way from this tab. */
  let underWay: string | undefined;
  let draft = emptyDraft(language);

  function load() {
    edited = readDrafts(keys.edit)[0];
    drafts = readDrafts(keys.new);
  }
  function show(next: Draft) {
    draft = next;
    for (const listener of listeners) listener();
  }
  const isShown = ({ sent }: Draft) => sent === null || sent.key !== underWay;
  /** The draft that is shown stays, as long as it is there. */
  function choose(): Draft {
    const shown = drafts.filter(isShown);
    const isNothing = draft.editing === null && isEmptyDraft(draft);
    const otherwise = shown[0] ?? (isNothing ? draft : emptyDraft(language));
    return edited ?? shown.find(({ parts }) => parts[0]?.id === draft.parts[0]?.id) ?? otherwise;
  }
  function store(next: readonly Draft[], nextEdited: Draft | undefined) {
    drafts = next;
    edited = nextEdited;
    writeStored(keys.new, drafts.length > 0 ? JSON.stringify(drafts) : null);
    writeStored(keys.edit, edited === undefined ? null : JSON.stringify(edited));
  }
  function keep(next: Draft) {
    if (next.editing === null) {
      const at = drafts.includes(draft) ? drafts.indexOf(draft) : drafts.length;
      store(drafts.toSpliced(at, 1, ...(isEmptyDraft(next) ? [] : [next])), edited);
    } else store(drafts, next);
    // A post that could not be sent comes back once nothing else is written.
    const isNothing = next.editing === null && isEmptyDraft(next);
    show((isNothing && drafts.find(isShown)) || next);
  }

  load();
  draft = choose();
  return {
    get: () => draft,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    change: (next) => keep({ ...next(draft), sent: null }),
    markSent(one, sent) {
      const marked = { ...one, sent };
      const isOne = (other: Draft | undefined) =>
        other === one || (one.sent !== null && other?.sent?.key === one.sent.key);
      if (one.editing === null) underWay = sent.key;
      // A draft that was changed in another tab, or typed since, stays as it is.
      store(
        drafts.map((other) => (isOne(other) ? marked : other)),
        isOne(edited) ? marked : edited,
      );
      show(choose());
      return marked;
    },
    settle(sent, { version }) {
      underWay = undefined;
      const others = drafts.filter((one) => !isSame(sent)(one));
      const { id } = sent.editing ?? {};
      if (isSame(sent)(edited)) store(others, undefined);
      else if (id === undefined || edited?.editing?.id !== id) store(others, edited);
      else {
        const at = edited.at ?? sent.sent.at;
        store(others, { ...edited, at, editing: { id, version } });
      }
      show(choose());
    },
    giveBack(sent, isRefused) {
      underWay = undefined;
      const back = (one: Draft) => (isRefused && isSame(sent)(one) ? { ...one, sent: null } : one);
      store(drafts.map(back), edited && back(edited));
      show(choose());
    },
    edit: (post) => keep(draftOf(post)),
    rebase(id, version) {
      if (edited?.editing?.id !== id) return;
      if (version === null) store([{ ...edited, editing: null, sent: null }, ...drafts], undefined);
      else store(drafts, { ...edited, editing: { id, version }, sent: null });
      show(choose());
    },
    discard() {
      if (draft.editing === null)
        store(
          drafts.filter((one) => one !== draft),
          edited,
        );
      else store(drafts, undefined);
      show(choose());
    },
    follow({ key }) {
      if (key !== null && key !== keys.new && key !== keys.edit) return;
      load();
      show(choose());
    },
  };
}

const isSame = (sent: SentDraft) => (one: Draft | undefined) => one?.sent?.key === sent.sent.key;

export function forgetDrafts(memberId: string): void {
  writeStored(keyOf(memberId, 'new'), null);
  writeStored(keyOf(memberId, 'edit'), null);
}

function readDrafts(key: string): Draft[] {
  try {
    const stored: unknown = JSON.parse(readStored(key) ?? '[]');
    return [stored].flat().filter(isDraft);
  } catch {
    return [];
  }
}

/** An older version of this page may have written it: no draft is better than a broken one. */
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
