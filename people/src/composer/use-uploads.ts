import type { Media } from '@meridian/contract/me/posts';
import { useState } from 'react';
import { newKey } from '../../../console/src/api/idempotency-key.ts';
import { sentenceOf } from '../api/call.ts';
import { uploadPicture } from '../api/calls.ts';
import { PictureError } from './picture-error.ts';

/** A picture on its way to the server, or one that did not arrive. */
export type Upload = { id: string; file: Blob; error: string | undefined };

export function useUploads(maxBytes: number, onUploaded: (media: Media) => void) {
  const [uploads, setUploads] = useState<readonly Upload[]>([]);
  const drop = (id: string) => setUploads((now) => now.filter((upload) => upload.id !== id));

  async function send(upload: Upload) {
    try {
      // Loaded with the first picture.
      const { encodePicture } = await import('./encode-picture.ts');
      onUploaded(await uploadPicture(await encodePicture(upload.file, maxBytes)));
      drop(upload.id);
    } catch (failure) {
      const error = failure instanceof PictureError ? failure.message : sentenceOf(failure);
      setUploads((now) => now.map((one) => (one.id === upload.id ? { ...one, error } : one)));
    }
  }
  return {
    uploads,
    /** One after the other, which keeps their order. */
    add: async (files: readonly File[]) => {
      const added = files.map((file) => ({ id: newKey(), file, error: undefined }));
      setUploads((now) => [...now, ...added]);
      for (const upload of added) await send(upload);
    },
    retry: (upload: Upload) => {
      const again = { ...upload, error: undefined };
      setUploads((now) => now.map((one) => (one.id === upload.id ? again : one)));
      return send(again);
    },
    drop,
  };
}
