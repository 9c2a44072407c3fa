import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { Media } from '@meridian/contract/me/posts';
import { Button, Spinner } from '@meridian/ui/Button.tsx';
import { TextArea } from '@meridian/ui/fields.tsx';
import { OFFLINE, sentenceOf, uploadPicture } from '../api/calls.ts';
import { IconButton } from '../parts.tsx';
import type { DraftPicture } from './draft.ts';
import { PictureError } from './encode-picture.ts';
import { newKey } from '@meridian/ui/api/outcome.ts';

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

/** A picture on its way to the server, or one that did not arrive. */
export type Upload = { id: string; file: Blob; error: string | undefined };

export function useUploads(maxBytes: number, onUploaded: (media: Media) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  /** Those that were removed may still be on their way. */
  const dropped = useRef(new Set<string>());
  const drop = (id: string) => {
    dropped.current.add(id);
    setUploads((now) => now.filter((upload) => upload.id !== id));
  };

  async function send(upload: Upload) {
    const isDropped = () => dropped.current.has(upload.id);
    if (isDropped()) return;
    try {
      // Loaded with the first picture.
      const { encodePicture } = await import('./encode-picture.ts');
      const media = await uploadPicture(await encodePicture(upload.file, maxBytes));
      if (isDropped()) return;
      onUploaded(media);
      drop(upload.id);
    } catch (failure) {
      const error = failure instanceof PictureError ? failure.message : sentenceOf(failure);
      setUploads((now) => now.map((one) => (one.id === upload.id ? { ...one, error } : one)));
    }
  }
  function retry(upload: Upload) {
    const again = { ...upload, error: undefined };
    setUploads((now) => now.map((one) => (one.id === upload.id ? again : one)));
    return send(again);
  }
  const retryOffline = useEffectEvent(async () => {
    for (const upload of uploads) if (upload.error === OFFLINE) await retry(upload);
  });

  // The connection is the browser's; with it back, what it kept from arriving is sent.
  useEffect(() => {
    const onOnline = () => void retryOffline();
    window.addEventListener('online', onOnline);
    return () => window.removeEventListener('online', onOnline);
  }, []);

  return {
    uploads,
    /** One after the other, which keeps their order. */
    add: async (files: readonly File[]) => {
      const added = files.map((file) => ({ id: newKey(), file, error: undefined }));
      setUploads((now) => [...now, ...added]);
      for (const upload of added) await send(upload);
    },
    retry,
    drop,
  };
}
