import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { AnswerOf } from '@meridian/contract/endpoint';
import type { Media } from '@meridian/contract/me/posts';
import { Button, Spinner } from '@meridian/ui/Button.tsx';
import { request } from '@meridian/ui/api/call.ts';
import { newKey } from '@meridian/ui/api/outcome.ts';
import { TextArea } from '@meridian/ui/fields.tsx';
import { OFFLINE, sentenceOf, useWhenOnline } from '../api/actions.ts';
import { meMediaUpload } from '../api/calls.ts';
import { IconButton } from '../parts.tsx';
import type { DraftPicture } from './draft.ts';

type PicturesProps = {
  pictures: readonly DraftPicture[];
  /** The language of the text and of the descriptions. */
  lang: string | undefined;
  onChange: (pictures: DraftPicture[]) => void;
  uploads: readonly Upload[];
  onRetry: (upload: Upload) => void;
  onDrop: (id: string) => void;
};

const ROW = 'flex flex-wrap items-start gap-3 rounded border border-border p-2';
const THUMB = 'size-20 shrink-0 rounded-sm bg-sunken object-cover';

export function Pictures({ pictures, lang, onChange, uploads, onRetry, onDrop }: PicturesProps) {
  const list = useRef<HTMLUListElement>(null);
  if (pictures.length + uploads.length === 0) return null;
  function move(from: number, to: number) {
    const next = [...pictures];
    [next[from], next[to]] = [next[to] as DraftPicture, next[from] as DraftPicture];
    // The button moves too, and loses the focus.
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

/** A picture on its way to the server, or, with an error, one that did not arrive. */
export type Upload = { id: string; file: Blob; error: string | undefined };

export function useUploads(maxBytes: number, onUploaded: (media: Media) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  /** A picture that was removed may still be on its way. */
  const dropped = useRef(new Set<string>());
  const drop = (id: string) => {
    dropped.current.add(id);
    setUploads((now) => now.filter((upload) => upload.id !== id));
  };

  async function send(upload: Upload) {
    const isDropped = () => dropped.current.has(upload.id);
    if (isDropped()) return;
    try {
      const body = await encodePicture(upload.file, maxBytes);
      const response = await request(meMediaUpload, { body });
      const { media } = (await response.json()) as AnswerOf<typeof meMediaUpload>; // by its schema
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
  useWhenOnline(async () => {
    for (const upload of uploads) if (upload.error === OFFLINE) await retry(upload);
  });

  return {
    uploads,
    /** Sends one after the other, which keeps their order. */
    add: async (files: readonly File[]) => {
      const added = files.map((file) => ({ id: newKey(), file, error: undefined }));
      setUploads((now) => [...now, ...added]);
      for (const upload of added) await send(upload);
    },
    retry,
    drop,
  };
}

/** A larger picture is not sharper on any screen. */
const MAX_EDGE = 2000;
const MAX_FILE_BYTES = 60_000_000;
const STEPS = [
  { edge: MAX_EDGE, quality: 0.92 },
  { edge: MAX_EDGE, quality: 0.8 },
  { edge: 1600, quality: 0.75 },
  { edge: 1200, quality: 0.65 },
  { edge: 800, quality: 0.5 },
];

/**
 * Draws the picture anew, within the limit. That leaves out everything else that the file holds, such as
 * the place where it was taken; its orientation is drawn in.
 */
async function encodePicture(file: Blob, maxBytes: number): Promise<Blob> {
  if (file.size > MAX_FILE_BYTES) throw new PictureError('This file is too large.');
  const bitmap = await createImageBitmap(file).catch((cause: unknown) => {
    throw new PictureError('This file is not a picture that your browser can read.', { cause });
  });
  try {
    for (const { edge, quality } of STEPS) {
      const blob = await draw(bitmap, edge, quality);
      if (blob.size <= maxBytes) return blob;
    }
  } finally {
    bitmap.close();
  }
  throw new PictureError('This picture cannot be made small enough. Choose another one.');
}

async function draw(bitmap: ImageBitmap, edge: number, quality: number): Promise<Blob> {
  const scale = Math.min(1, edge / Math.max(bitmap.width, bitmap.height));
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  );
  const context = canvas.getContext('2d');
  if (context === null) throw new PictureError('Your browser cannot draw this picture.');
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const webp = await canvas.convertToBlob({ type: 'image/webp', quality });
  if (webp.type === 'image/webp') return webp;
  // A browser that cannot write WebP writes PNG instead; JPEG knows no transparency.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/jpeg', quality });
}

/** Its message is a sentence for the member. */
class PictureError extends Error {
  override readonly name = 'PictureError';
}
