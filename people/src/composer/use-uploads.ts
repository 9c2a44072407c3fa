import type { Media } from '@meridian/contract/me/posts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { newKey } from '../../../console/src/api/idempotency-key.ts';
import { OFFLINE, sentenceOf } from '../api/call.ts';
import { uploadPicture } from '../api/calls.ts';
import { PictureError } from './picture-error.ts';

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
