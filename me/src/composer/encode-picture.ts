/** Larger than this a picture is not sharper on any screen. */
const MAX_EDGE = 2000;
const MAX_FILE_BYTES = 60_000_000;
/** Tried in turn until it fits. */
const STEPS = [
  { edge: MAX_EDGE, quality: 0.92 },
  { edge: MAX_EDGE, quality: 0.8 },
  { edge: 1600, quality: 0.75 },
  { edge: 1200, quality: 0.65 },
  { edge: 800, quality: 0.5 },
];

/**
 * The picture anew, within the limit. Drawing it leaves out everything else that the file holds, such
 * as where it was taken; its orientation is drawn in.
 */
export async function encodePicture(file: Blob, maxBytes: number): Promise<Blob> {
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

/** What is wrong with the file, in a sentence for the person. */
export class PictureError extends Error {
  override readonly name = 'PictureError';
}
