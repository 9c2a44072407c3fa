import { ImagePlus, Trash2 } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useEffect, useId, useRef, useState } from 'react';
import { countGraphemes } from '@meridian/contract/network';
import { Button } from '@meridian/ui/Button.tsx';
import { cx } from '@meridian/ui/classes.ts';
import { IconButton, LinkPreview } from '../parts.tsx';
import { Pictures, useUploads } from './Pictures.tsx';
import { cardOf, type DraftPart, firstLink, type Limits } from './draft.ts';
import { useLinkCard } from './use-schedule.ts';

type PartEditorProps = {
  part: DraftPart;
  label: string;
  placeholder: string;
  /** Undefined for a text in several languages. */
  lang: string | undefined;
  isSent: boolean;
  limits: Limits;
  /** The id of the sentence that says why the post was not scheduled. */
  errorId: string | undefined;
  onChange: (next: (part: DraftPart) => DraftPart) => void;
  /** A post is not whole while a picture is on its way. */
  onUploading: (partId: string, isUploading: boolean) => void;
  onRemove: (() => void) | undefined;
};

const PICTURE_TYPES = 'image/png,image/jpeg,image/webp,image/gif,image/avif';

export function PartEditor(props: PartEditorProps) {
  const { part, label, placeholder, lang, isSent, limits, errorId } = props;
  const { onChange, onUploading, onRemove } = props;
  const chooser = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [note, setNote] = useState('');
  const { uploads, add, retry, drop } = useUploads(limits.pictureBytes, (media) =>
    onChange((now) => ({ ...now, pictures: [...now.pictures, { media, alt: '' }] })),
  );
  const noCard = useLinkCard(part, isSent, onChange);
  const card = cardOf(part);
  const isUploading = uploads.length > 0;
  const count = countGraphemes(part.text);
  const countId = useId();
  // The composer waits for the pictures of all its parts.
  useEffect(() => {
    onUploading(part.id, isUploading);
    return () => onUploading(part.id, false);
  }, [part.id, isUploading, onUploading]);

  function addPictures(files: Iterable<File>) {
    const all = [...files];
    const pictures = all.filter(({ type }) => type.startsWith('image/'));
    const room = Math.max(0, limits.pictures - part.pictures.length - uploads.length);
    const most = limits.pictures === 0 ? 'no pictures' : `up to ${limits.pictures} per post`;
    const other = pictures.length < all.length ? 'Only pictures can be added.' : '';
    setNote(pictures.length > room ? `Pictures in your plan: ${most}.` : other);
    void add(pictures.slice(0, room));
  }
  function handlePaste(event: ClipboardEvent) {
    const { files, types } = event.clipboardData;
    // Office programs copy a picture of the text as well; an image has no text, a file neither HTML nor RTF.
    const isRich = types.includes('text/html') || types.includes('text/rtf');
    const isText = types.includes('text/plain') && isRich;
    if (files.length === 0 || isText) return;
    event.preventDefault();
    addPictures(files);
  }
  function handleDrag(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    setOver(event.type === 'dragover');
    if (event.type === 'drop') addPictures(event.dataTransfer.files);
  }
  return (
    // Dropping is one of three ways to add a picture; the button below needs no pointer.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      onDragOver={handleDrag}
      onDragLeave={handleDrag}
      onDrop={handleDrag}
      className={cx(
        'flex flex-col gap-2.5 rounded border border-border-control bg-surface p-3 transition-colors has-[>textarea:focus-visible]:outline-2 outline-accent',
        isOver && 'border-accent bg-blue-tint',
      )}
    >
      <textarea
        aria-label={label}
        aria-invalid={errorId !== undefined || count > limits.characters}
        aria-describedby={errorId ?? countId}
        placeholder={placeholder}
        value={part.text}
        dir="auto"
        lang={lang}
        onPaste={handlePaste}
        onChange={({ target }) => {
          setNote('');
          onChange((now) => ({ ...now, text: target.value }));
        }}
        className="block field-sizing-content max-h-[60vh] min-h-22 w-full resize-none bg-transparent text-lg leading-normal outline-none wrap-anywhere"
      />
      <Pictures
        pictures={part.pictures}
        lang={lang}
        onChange={(pictures) => {
          setNote('');
          onChange((now) => ({ ...now, pictures }));
        }}
        uploads={uploads}
        onRetry={(upload) => void retry(upload)}
        onDrop={drop}
      />
      {card !== null && (
        <LinkPreview
          card={card}
          lang={lang}
          onRemove={() =>
            onChange((now) => ({
              ...now,
              card: null,
              withoutCard: firstLink(now.text) ?? card.uri,
            }))
          }
        />
      )}
      <div className="flex min-h-control-sm flex-wrap items-center gap-1">
        <input
          ref={chooser}
          type="file"
          accept={PICTURE_TYPES}
          multiple
          // Members use and hear the button beside it.
          hidden
          onChange={({ target }) => {
            addPictures(target.files ?? []);
            // The same file may be chosen again.
            target.value = '';
          }}
        />
        {limits.pictures > 0 && (
          <Button
            variant="ghost"
            size="sm"
            className="-ms-2"
            icon={<ImagePlus aria-hidden="true" className="size-4" />}
            onClick={() => chooser.current?.click()}
          >
            Add pictures
          </Button>
        )}
        {onRemove !== undefined && (
          <IconButton label={`Remove: ${label}`} icon={Trash2} onClick={onRemove} />
        )}
        <p aria-live="polite" className="flex-1 text-sm text-muted not-empty:basis-48">
          {note || (noCard !== undefined && `No link preview. ${noCard}`)}
        </p>
        <Counter id={countId} count={count} limit={limits.characters} />
      </div>
    </div>
  );
}

const NEAR = 20;
const CIRCUMFERENCE = 2 * Math.PI * 8;

/** The ring shows the part of the allowed length that is used, the number what is left. */
function Counter({ id, count, limit }: { id: string; count: number; limit: number }) {
  const left = limit - count;
  const share = limit === 0 ? 1 : Math.min(1, count / limit);
  const tone = left < 0 ? 'text-danger' : left <= NEAR ? 'text-amber' : 'text-accent';
  return (
    <span className="flex items-center gap-2 text-sm tabular-nums">
      <span aria-hidden="true" className={left <= NEAR ? tone : 'text-muted'}>
        {left}
      </span>
      <svg aria-hidden="true" viewBox="0 0 20 20" className={cx('size-5 -rotate-90', tone)}>
        <circle cx="10" cy="10" r="8" fill="none" strokeWidth="2.5" className="stroke-sunken" />
        <circle
          cx="10"
          cy="10"
          r="8"
          fill="none"
          stroke="currentColor"
          strokeWidth="2.5"
          strokeDasharray={`${share * CIRCUMFERENCE} ${CIRCUMFERENCE}`}
        />
      </svg>
      <span id={id} className="sr-only">
        {count} of {limit} characters
      </span>
      <span aria-live="polite" className="sr-only">
        {left <= NEAR && (left < 0 ? `${-left} too many` : `${left} left`)}
      </span>
    </span>
  );
}
