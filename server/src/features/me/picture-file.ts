import { crc32 } from 'node:zlib';
import { MEDIA_MAX_EDGE, MEDIA_MAX_PIXELS, MEDIA_TYPES } from '@meridian/contract/me/posts';
import { imageSize } from 'image-size';
import { AppError } from '../../http/errors.ts';
import { pictureTypeOf } from '../pictures/picture-type.ts';

export type MediaType = (typeof MEDIA_TYPES)[number];
export type PictureFile = { mimeType: MediaType; width: number; height: number };

const DAMAGED = 'The file is damaged or incomplete. Save the picture again and upload that';
const ANIMATED = 'Animated pictures cannot be posted. Upload a still picture';
const MORE = 'The file holds more than a picture. Save the picture again and upload that';
const FRAGMENTED = 'The file is in too many pieces. Save the picture again and upload that';
const LARGE = `Pictures may have at most ${MEDIA_MAX_EDGE} pixels on each side and ${MEDIA_MAX_PIXELS / 1_000_000} million in all`;

/** A piece of a few bytes takes a hundred times its memory: 2 MB of them held the process for a second. */
const MAX_PIECES = 20_000;

/** A file that is a picture and something else too would be served under our name. */
export function readPictureFile(bytes: Buffer): PictureFile & { bytes: Buffer } {
  const found = pictureTypeOf(bytes);
  const mimeType = MEDIA_TYPES.find((type) => type === found);
  if (mimeType === undefined) throw new AppError('media_type_refused');
  const parts = PARTS[mimeType](bytes);
  if (parts === null) throw refused(DAMAGED);
  if (parts.end < bytes.length) throw refused(MORE);
  const { width, height, orientation } = sizeOf(parts.head ?? bytes);
  if (Math.max(width, height) > MEDIA_MAX_EDGE || width * height > MEDIA_MAX_PIXELS) {
    throw refused(LARGE);
  }
  const isTurned = mimeType === 'image/jpeg' && orientation > 1;
  const [start, ...rest] = parts.kept;
  const kept = isTurned && start ? [start, orientationSegment(orientation), ...rest] : parts.kept;
  const shown = orientation >= 5 ? { width: height, height: width } : { width, height };
  return { mimeType, ...shown, bytes: Buffer.concat(kept) };
}

const refused = (message: string) => new AppError('media_refused', { message });

function sizeOf(bytes: Buffer): { width: number; height: number; orientation: number } {
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    if (!(width > 0 && height > 0)) throw refused(DAMAGED);
    return { width, height, orientation };
  } catch {
    // The library throws of its own accord at sizes that it cannot find.
    throw refused(DAMAGED);
  }
}

/** `head` tells the size where the library would look for it byte by byte through the whole file. */
type Parts = { end: number; kept: Buffer[]; head?: Buffer };

function pieceCounter(): () => void {
  let pieces = 0;
  return () => {
    pieces += 1;
    if (pieces > MAX_PIECES) throw refused(FRAGMENTED);
  };
}

const PARTS: Record<MediaType, (bytes: Buffer) => Parts | null> = {
  'image/png': partsOfPng,
  'image/jpeg': partsOfJpeg,
  'image/webp': partsOfWebp,
};

/** Every other chunk may say where a picture was taken, or by whom. */
const PNG_KEPT = new Set(
  'IHDR PLTE tRNS gAMA cHRM sRGB iCCP cICP sBIT bKGD pHYs IDAT IEND'.split(' '),
);
const WEBP_KEPT = new Set(['VP8X', 'ICCP', 'ALPH', 'VP8 ', 'VP8L']);

function partsOfPng(bytes: Buffer): Parts | null {
  const kept = [bytes.subarray(0, 8)];
  const countPiece = pieceCounter();
  for (let at = 8; at + 12 <= bytes.length;) {
    countPiece();
    const type = bytes.toString('latin1', at + 4, at + 8);
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length) return null;
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return null;
    if (type === 'acTL') throw refused(ANIMATED);
    if (PNG_KEPT.has(type)) kept.push(bytes.subarray(at, end));
    if (type === 'IEND') return { end, kept };
    at = end;
  }
  return null;
}

function partsOfJpeg(bytes: Buffer): Parts | null {
  const [START_OF_SCAN, END_OF_IMAGE] = [0xda, 0xd9];
  const kept = [bytes.subarray(0, 2)];
  const head = [...kept];
  let isHead = true;
  const countPiece = pieceCounter();
  for (let at = 2; at + 2 <= bytes.length;) {
    if (bytes[at] !== 0xff) return null;
    const start = at;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    countPiece();
    if (isBare(marker) || marker === END_OF_IMAGE) at += 2;
    else if (at + 4 > bytes.length) return null;
    else at += 2 + bytes.readUInt16BE(at + 2);
    isHead &&= marker !== START_OF_SCAN;
    if (isHead && !isBare(marker)) head.push(bytes.subarray(start, at));
    if (marker === START_OF_SCAN) at = endOfScan(bytes, at);
    if (!isJpegMetadata(marker, bytes.subarray(start + 4, at))) {
      kept.push(bytes.subarray(start, at));
    }
    if (marker === END_OF_IMAGE) return { end: at, kept, head: Buffer.concat(head) };
  }
  return null;
}

const isBare = (marker: number) => (marker >= 0xd0 && marker <= 0xd7) || marker === 0x01;

function isJpegMetadata(marker: number, data: Buffer): boolean {
  const [JFIF, ICC, ADOBE, COMMENT] = [0xe0, 0xe2, 0xee, 0xfe];
  if (marker === ICC) return !data.toString('latin1', 0, 11).startsWith('ICC_PROFILE');
  if (marker === JFIF || marker === ADOBE) return false;
  return marker === COMMENT || (marker >= 0xe0 && marker <= 0xef);
}

/** A zero after 0xFF makes it data; a restart marker belongs to the scan. */
function endOfScan(bytes: Buffer, start: number): number {
  let at = bytes.indexOf(0xff, start);
  while (at !== -1 && (bytes[at + 1] === 0 || isBare(bytes[at + 1] ?? 0))) {
    at = bytes.indexOf(0xff, at + 2);
  }
  return at === -1 ? bytes.length : at;
}

function orientationSegment(orientation: number): Buffer {
  const head = Buffer.from('ffe100224578696600004d4d002a00000008', 'hex');
  const field = Buffer.from('000101120003000000010000000000000000', 'hex');
  field.writeUInt16BE(orientation, 10);
  return Buffer.concat([head, field]);
}

const VP8X_BYTES = 10;

/** A RIFF file names its own length; its chunks have even lengths. */
function partsOfWebp(bytes: Buffer): Parts | null {
  if (bytes.length < 20) return null;
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) return null;
  const chunks: Buffer[] = [];
  const countPiece = pieceCounter();
  let at = 12;
  let hasPicture = false;
  while (at + 8 <= end) {
    countPiece();
    const type = bytes.toString('latin1', at, at + 4);
    if (type === 'ANIM' || type === 'ANMF') throw refused(ANIMATED);
    hasPicture ||= type === 'VP8 ' || type === 'VP8L';
    const length = bytes.readUInt32LE(at + 4);
    const next = at + 8 + length + (length % 2);
    if (type === 'VP8X' && length < VP8X_BYTES) return null;
    if (WEBP_KEPT.has(type)) chunks.push(bytes.subarray(at, next));
    at = next;
  }
  return at === end && hasPicture ? { end, kept: [webpHead(chunks), ...chunks] } : null;
}

function webpHead(chunks: Buffer[]): Buffer {
  const [first] = chunks;
  if (first?.toString('latin1', 0, 4) === 'VP8X') {
    chunks[0] = Buffer.from(first);
    chunks[0].writeUInt8((first[8] ?? 0) & ~0x0c, 8);
  }
  const head = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  head.writeUInt32LE(4 + chunks.reduce((sum, { length }) => sum + length, 0), 4);
  return head;
}
