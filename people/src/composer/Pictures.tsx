import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../console/src/ui/Button.tsx';
import { Spinner } from '../../../console/src/ui/Spinner.tsx';
import { TextArea } from '../../../console/src/ui/TextArea.tsx';
import { IconButton } from '../parts/IconButton.tsx';
import type { DraftPicture } from './draft.ts';
import type { Upload } from './use-uploads.ts';

type PicturesProps = {
  pictures: readonly DraftPicture[];
  /** Of their descriptions, as of the text. */
  lang: string | undefined;
  onChange: (pictures: DraftPicture[]) => void;
  uploads: readonly Upload[];
  onRetry: (upload: Upload) => void;
  onDrop: (id: string) => void;
};

const ROW = 'flex flex-wrap items-start gap-3 rounded border border-border p-2';
const THUMB = 'size-20 shrink-0 rounded-sm bg-sunken object-cover';

/** The pictures of a post in their order, each with its description. */
export function Pictures({ pictures, lang, onChange, uploads, onRetry, onDrop }: PicturesProps) {
  const list = useRef<HTMLUListElement>(null);
  if (pictures.length + uploads.length === 0) return null;
  function move(from: number, to: number) {
    const next = [...pictures];
    [next[from], next[to]] = [next[to] as DraftPicture, next[from] as DraftPicture];
    // The button moves too, which takes the focus from it.
    flushSync(() => onChange(next));
    list.current?.querySelectorAll('textarea')[to]?.focus();
  }
  return (
    <ul ref={list} aria-label="Pictures" className="flex flex-col gap-2">
      {pictures.map((picture, index) => (
        <li key={picture.media.id} className={ROW}>
          <img src={picture.media.url} alt="" className={THUMB} />
          <div className="flex min-w-0 flex-1 basis-32 flex-col gap-1">
            <TextArea
              label={`Alt text of picture ${index + 1}`}
              labelHidden
              placeholder="Describe it for people who cannot see it"
              rows={2}
              maxLength={2000}
              value={picture.alt}
              lang={lang}
              onChange={({ target }) =>
                onChange(
                  pictures.map((one) => (one === picture ? { ...one, alt: target.value } : one)),
                )
              }
            />
            <div className="-ms-1.5 flex">
              <IconButton
                label={`Remove picture ${index + 1}`}
                icon={X}
                onClick={() => onChange(pictures.filter((one) => one !== picture))}
              />
              {index > 0 && (
                <IconButton
                  label={`Move picture ${index + 1} up`}
                  icon={ArrowUp}
                  onClick={() => move(index, index - 1)}
                />
              )}
              {index < pictures.length - 1 && (
                <IconButton
                  label={`Move picture ${index + 1} down`}
                  icon={ArrowDown}
                  onClick={() => move(index, index + 1)}
                />
              )}
            </div>
          </div>
        </li>
      ))}
      {uploads.map((upload) => (
        <li key={upload.id} className={ROW}>
          <span className={`${THUMB} flex items-center justify-center text-muted`}>
            {upload.error === undefined && <Spinner />}
          </span>
          <div aria-live="polite" className="min-w-0 flex-1 self-center text-sm">
            {upload.error === undefined ? (
              <span className="text-muted">Uploading...</span>
            ) : (
              <>
                <p className="text-danger">{upload.error}</p>
                <Button size="sm" className="mt-1.5" onClick={() => onRetry(upload)}>
                  Try again
                </Button>
              </>
            )}
          </div>
          <IconButton label="Remove this picture" icon={X} onClick={() => onDrop(upload.id)} />
        </li>
      ))}
    </ul>
  );
}
