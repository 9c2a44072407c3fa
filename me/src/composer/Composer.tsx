import { MessageSquarePlus } from 'lucide-react';
import { useCallback, useId, useState, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import type { Me } from '@meridian/contract/me/account';
import type { MePost } from '@meridian/contract/me/posts';
import { Alert } from '@meridian/ui/Alert.tsx';
import { Button } from '@meridian/ui/Button.tsx';
import { Card, CardBody, CardHeader } from '@meridian/ui/Card.tsx';
import { Select } from '@meridian/ui/choices.tsx';
import { LOCALE } from '@meridian/ui/format.ts';
import { COMPOSER_ID, focusComposer, useNow } from '../parts.tsx';
import { PartEditor } from './PartEditor.tsx';
import { nextFreeSlot, slotRange, TimeField } from './TimeField.tsx';
import type { DraftStore } from './draft-store.ts';
import { type DraftPart, emptyPart, isEmptyDraft, limitsOf, problemOf } from './draft.ts';
import { useSchedule } from './use-schedule.ts';

type ComposerProps = {
  me: Me;
  store: DraftStore;
  /** The times of the member's other posts. */
  taken: readonly number[];
  onScheduled: (post: MePost) => void;
};

const UPLOADING = 'A picture is not uploaded yet. Wait for it, try it again or remove it.';
const DAY = 'Choose another day first.';

const showWhole = (box: Element | null) => box?.scrollIntoView({ block: 'nearest' });

export function Composer({ me, store, taken, onScheduled }: ComposerProps) {
  const draft = useSyncExternalStore(store.subscribe, store.get);
  const limits = limitsOf(me.limits);
  const titleId = useId();
  const errorId = useId();
  const [uploading, setUploading] = useState<readonly string[]>([]);
  const range = slotRange(useNow(), limits.slotMinutes, limits.days);
  const nextFree = nextFreeSlot(range, taken);
  const { editing } = draft;

  const noteUploading = useCallback((id: string, isUploading: boolean) => {
    setUploading((now) => [...now.filter((one) => one !== id), ...(isUploading ? [id] : [])]);
  }, []);
  const schedule = useSchedule({ store, limits, nextFree, onScheduled }, () => {
    if (uploading.length > 0) return UPLOADING;
    return document.querySelector(`#${COMPOSER_ID} input[aria-invalid]`) === null ? undefined : DAY;
  });
  const { error, clear } = schedule;
  const problem = problemOf(draft, limits);
  // Another plan may allow what this one refused.
  const allowed = JSON.stringify([me.limits, me.schedule.sentence]);
  const [allowedBefore, setAllowedBefore] = useState(allowed);
  if (allowed !== allowedBefore) {
    setAllowedBefore(allowed);
    clear();
  } else if (error === UPLOADING && uploading.length === 0) clear();
  /** A sentence about the draft as it was is no longer true; one about another device's change is. */
  const change: DraftStore['change'] = (next) => {
    if (error === UPLOADING || error === DAY || error === problem?.sentence) clear();
    store.change(next);
  };
  const changePart = (id: string, next: (part: DraftPart) => DraftPart) =>
    change((now) => ({
      ...now,
      parts: now.parts.map((part) => (part.id === id ? next(part) : part)),
    }));

  const isThread = draft.parts.length > 1;
  return (
    <Card id={COMPOSER_ID} aria-labelledby={titleId} className="scroll-mt-4">
      <CardHeader
        title={editing === null ? 'New post' : 'Change this post'}
        titleId={titleId}
        actions={
          (editing !== null || !isEmptyDraft(draft)) && (
            <Button
              variant="ghost"
              size="sm"
              onClick={() => {
                clear();
                flushSync(store.discard);
                focusComposer();
              }}
            >
              {editing === null ? 'Discard' : 'Discard changes'}
            </Button>
          )
        }
        className="min-h-14"
      />
      <CardBody className="flex flex-col gap-4">
        {draft.parts.map((part, index) => (
          <PartEditor
            key={part.id}
            part={part}
            label={isThread ? `Post ${index + 1} of the thread` : 'Text of the post'}
            placeholder={index === 0 ? 'What would you like to say?' : 'And then?'}
            lang={draft.languages[0]}
            isSent={draft.sent !== null}
            limits={limits}
            errorId={problem?.part === part.id && problem.sentence === error ? errorId : undefined}
            onChange={(next) => changePart(part.id, next)}
            onUploading={noteUploading}
            onRemove={
              isThread
                ? () =>
                    change((now) => ({
                      ...now,
                      parts: now.parts.filter(({ id }) => id !== part.id),
                    }))
                : undefined
            }
          />
        ))}
        {limits.parts > 1 && draft.parts.length < limits.parts && (
          <Button
            variant="ghost"
            size="sm"
            className="-mt-2 self-start ms-1"
            icon={<MessageSquarePlus aria-hidden="true" className="size-4" />}
            onClick={() => {
              flushSync(() => change((now) => ({ ...now, parts: [...now.parts, emptyPart()] })));
              focusComposer(-1);
            }}
          >
            Add to thread
          </Button>
        )}
        <div className="flex flex-wrap items-start gap-x-6 gap-y-4">
          <TimeField
            range={range}
            nextFree={nextFree}
            at={draft.at}
            onChange={(at) => change((now) => ({ ...now, at }))}
          />
          <Select
            label="Language"
            className="w-38 max-w-full"
            options={languageOptions(draft.languages[0] ?? 'en')}
            value={draft.languages[0] ?? null}
            onValueChange={(language) =>
              store.change((now) => ({
                ...now,
                languages: [language, ...now.languages.slice(1).filter((one) => one !== language)],
              }))
            }
          />
        </div>
        <Button
          variant="primary"
          size="lg"
          className="self-end @max-xl:w-full"
          busy={schedule.isBusy}
          busyLabel={editing === null ? 'Scheduling...' : 'Saving...'}
          onClick={() => void schedule.run()}
        >
          {editing === null ? 'Schedule' : 'Save changes'}
        </Button>
        {/* It stands below, so that the button that was pressed stays in its place. */}
        {error !== undefined && (
          <div ref={showWhole} id={errorId}>
            <Alert onDismiss={clear}>{error}</Alert>
          </div>
        )}
      </CardBody>
    </Card>
  );
}

/** The languages most written on the network. The draft's own is listed as well. */
const CODES =
  'ar bn cs da de el en es fa fi fr he hi hu id it ja ko nl no pl pt ro ru sv th tr uk vi zh'.split(
    ' ',
  );

const names = new Intl.DisplayNames(LOCALE, { type: 'language' });

export function preferredLanguage(): string {
  const [code = 'en'] = navigator.language.toLowerCase().split('-');
  return /^[a-z]{2,3}$/.test(code) ? code : 'en';
}

function languageOptions(chosen: string): { value: string; label: string }[] {
  return [...new Set([...CODES, preferredLanguage(), chosen])]
    .map((value) => ({ value, label: names.of(value) ?? value }))
    .toSorted((a, b) => a.label.localeCompare(b.label, LOCALE));
}
